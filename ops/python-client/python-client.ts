import { errorAdvice } from '../../src/http/errors/error-advice.ts';
import { type ErrorCode, statusOf } from '../../src/http/errors/error-code.ts';
import { openApiDocument } from '../../src/http/openapi/openapi-document.ts';
import { routes } from '../../src/http/routes.ts';
import { methodsOf, type Operation } from './python-operations.ts';
import { PythonTypes, type Schema } from './python-types.ts';

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly webhooks: Readonly<
    Record<
      string,
      {
        readonly post: {
          readonly requestBody: {
            readonly content: { readonly 'application/json': { readonly schema: Schema } };
          };
        };
      }
    >
  >;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

const folder = 'clients/python/src/proofmark';
const notice = 'Generated from the OpenAPI document: npm run client:python.';

/** Generated modules of the Python client: source texts by path, relative to the project. */
export function pythonClient(): ReadonlyMap<string, string> {
  // JSON, so that only what is served counts.
  const document: Document = JSON.parse(
    JSON.stringify(openApiDocument(routes, 'https://proofs.example.org')),
  );
  const types = new PythonTypes();
  for (const [name, schema] of Object.entries(document.components.schemas)) {
    types.declare(name, schema);
  }
  const methods = operationsOf(document).map((operation) => methodsOf(operation, types));
  const kinds = Object.entries(document.webhooks).map(([kind, { post }]) => {
    const name = `${kind.split(/[._]/).map(capitalWord).join('')}Event`;
    types.declare(name, post.requestBody.content['application/json'].schema);
    return `"${name}"`;
  });
  return new Map([
    [
      `${folder}/types.py`,
      `"""Types of all bodies, as the API sends and receives them. ${notice}"""\n
from typing import Any, Dict, List, Literal, Optional, TypedDict, Union\n\n
${types.source}

WebhookEvent = Union[${kinds.join(', ')}]
`,
    ],
    [
      `${folder}/_operations.py`,
      `"""One method for each operation of the API. ${notice}"""\n
from typing import Iterator, Literal, Optional, Union, cast\n
from . import types
from ._calls import Calls
from .files import FileToSend\n\n
class Operations(Calls):
    """All operations. Bodies and answers are the JSON objects of the API; a refused call raises an ApiError."""\n
${methods.join('\n')}`,
    ],
    [
      `${folder}/_advice.py`,
      `"""Advice of the service about sending a call again. ${notice}"""\n
from typing import Dict, Tuple\n
${retryRules()}`,
    ],
  ]);
}

function operationsOf({ paths }: Document): Operation[] {
  return Object.entries(paths).flatMap(([path, { servers, ...byMethod }]) =>
    Object.entries(byMethod).map(([method, operation]) => ({
      ...operation,
      ...{ method, path, isAtRoot: servers !== undefined },
    })),
  );
}

function capitalWord(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

/** Rule of the clients for each wording of the advice about sending a call again. */
const ruleOf: Readonly<Record<string, string>> = {
  no: 'never',
  'once, over a faster connection': 'once',
  'when the proof is completed': 'later',
  'after a few seconds': 'soon',
  'after an hour': 'later',
  'after the endpoint is enabled': 'later',
  'after a key is revoked or has expired': 'later',
  'yes, once, after Retry-After seconds': 'once after Retry-After',
  'once, if the call is idempotent': 'once if idempotent',
  'yes, after Retry-After seconds': 'after Retry-After',
  'yes, after Retry-After seconds, if the call is idempotent': 'after Retry-After if idempotent',
  'not at once; ask for proofId, or post the same hash later': 'later',
};

/** Python source of the table of codes, with status and rule. Throws for advice without a rule. */
function retryRules(): string {
  // The table's keys are its codes.
  const codes = Object.keys(statusOf) as ErrorCode[];
  const lines = codes.map((code) => {
    const { retry } = errorAdvice[code];
    const rule = ruleOf[retry];
    if (rule === undefined) throw new Error(`no rule of the client follows the advice: ${retry}`);
    return `    "${code}": (${statusOf[code]}, "${rule}"),\n`;
  });
  return `# Status and retry rule of each error code.\nRULES: Dict[str, Tuple[int, str]] = {\n${lines.join('')}}\n`;
}
