import type { OpenAPI3 } from 'openapi-typescript';
import { errorAdvice } from '../src/http/errors/error-advice.ts';
import { openApiDocument } from '../src/http/openapi/openapi-document.ts';
import { routes } from '../src/http/routes.ts';
import { clientTypes } from './client-types.ts';

/** Folder of the generated sources, relative to the checkout. */
export const generatedFolder = 'clients/typescript/src/generated';

/** Generated sources of the TypeScript client, by file name. */
export async function typescriptClient(): Promise<Readonly<Record<string, string>>> {
  const text = JSON.stringify(openApiDocument(routes, 'https://proofs.example.org'));
  const document: OpenAPI3 = JSON.parse(text);
  const sources = {
    'openapi.ts': await clientTypes(document),
    'paths.ts': pathsOf(JSON.parse(text)),
    'retry-advice.ts': retryAdvice(),
  };
  return Object.fromEntries(Object.entries(sources).map(([name, each]) => [name, notice + each]));
}

const notice =
  '// Generated from the OpenAPI document of the service: npm run client:typescript. Do not edit.\n';

interface Document {
  readonly paths: Readonly<
    Record<
      string,
      {
        readonly servers?: unknown;
        readonly get?: {
          readonly parameters?: readonly {
            readonly name?: string;
            readonly schema?: { readonly maximum?: number };
          }[];
        };
      }
    >
  >;
}

function pathsOf({ paths }: Document): string {
  const atRoot = Object.entries(paths).flatMap(([path, { servers }]) => (servers ? [path] : []));
  const paged = Object.entries(paths).flatMap(([path, { get }]) => {
    const { schema } = get?.parameters?.find(({ name }) => name === 'limit') ?? {};
    return schema?.maximum === undefined ? [] : [[path, schema.maximum]];
  });
  return `/** Paths at the root of the host; all others are below \`/api/v1\`. */
export const rootPaths: ReadonlySet<string> = new Set(${JSON.stringify(atRoot, null, 2)});

/** Lists that come in pages, and the most items of a page. */
export const pagedLists: Readonly<Record<string, number>> = ${JSON.stringify(Object.fromEntries(paged), null, 2)};
`;
}

/** Advice of the client for each wording in the document. */
const adviceOf: Readonly<Record<string, string>> = {
  no: 'never',
  'yes, once, after Retry-After seconds': 'once',
  'once, over a faster connection': 'once',
  'once, if the call is idempotent': 'once if idempotent',
  'yes, after Retry-After seconds, if the call is idempotent': 'if idempotent',
  'yes, after Retry-After seconds': 'repeat',
  'when the proof is completed': 'later',
  'after a few seconds': 'later',
  'after an hour': 'later',
  'after the endpoint is enabled': 'later',
  'after a key is revoked or has expired': 'later',
  'not at once; ask for proofId, or post the same hash later': 'later',
};

/** Throws for a wording that the client does not know. */
function retryAdvice(): string {
  const lines = Object.entries(errorAdvice).map(([code, { retry }]) => {
    const advice = adviceOf[retry];
    if (advice === undefined) throw new Error(`the client knows no such advice: ${retry}`);
    return `  ${code}: '${advice}',\n`;
  });
  return `import type { RetryAdvice } from '../calls/retry-advice.ts';

/** Advice about each code of the service. A later service may send codes that are not listed. */
export const retryAdvice = {
${lines.join('')}} as const satisfies Record<string, RetryAdvice>;

/** Every code that the service sends. */
export type ErrorCode = keyof typeof retryAdvice;
`;
}
