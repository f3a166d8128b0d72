import { consoleRoutes } from '../../../src/http/console/console-routes.ts';
import { mcpPath } from '../../../src/http/mcp/run-mcp.ts';
import { pageRoutes } from '../../../src/http/routes.ts';
import { closedDocument, type Json } from './closed-document.ts';
import type { Exchange } from './exchange.ts';
import { createOperationFinder } from './find-operation.ts';
import { createSchemaChecks, pointerTo } from './schemas.ts';

/** Finds differences between an answer and the OpenAPI document; empty if there are none. */
export type FindBreaches = (exchange: Exchange) => readonly string[];

let ofThisProcess: FindBreaches | undefined;

export function apiContract(): FindBreaches {
  ofThisProcess ??= createContract(closedDocument());
  return ofThisProcess;
}

/** Expects a document with closed objects (`closedDocument`). */
export function createContract(document: Json): FindBreaches {
  const checkValue = createSchemaChecks(document);
  const find = createOperationFinder(document);
  return (exchange) => {
    const { method, target, status } = exchange;
    const breaches = (place: readonly string[], response: Json): string[] => {
      if (response === undefined) return ['it is not documented to answer that'];
      const found = resolve(document, place, response);
      return [
        ...headerBreaches(document, found.response, exchange),
        ...bodyBreaches(found, exchange, checkValue),
      ];
    };
    const named = (found: readonly string[]) =>
      found.map((one) => `${method} ${target}: ${status}: ${one}`);
    const operation = find(method, target);
    if (operation !== null) {
      const place = [...operation.place, 'responses', String(status)];
      return named(breaches(place, operation.operation.responses[status]));
    }
    if (isAside(exchange)) return [];
    const unmatched = 'x-unmatched-requests';
    return named(breaches([unmatched, String(status)], document[unmatched][status]));
  };
}

/**
 * Exchanges outside of the document: OPTIONS, pages, MCP, also of errors, and requests too malformed to
 * have a path.
 */
function isAside({ method, target, status, headers, text }: Exchange): boolean {
  if (method === 'OPTIONS' && status === 204) return true;
  if (pages.some((page) => page.test(target)) || target === mcpPath) return true;
  if (headers['content-type']?.startsWith('text/html') && !target.startsWith('/api')) return true;
  return status === 400 && text !== null && JSON.parse(text).code === 'INVALID_REQUEST';
}

const pages = [...pageRoutes, ...consoleRoutes].map(
  ({ path }) => new RegExp(`^${path.replace(/:\w+/g, '[^/?]+')}/?(\\?|$)`),
);

interface Found {
  readonly place: readonly string[];
  readonly response: Json;
}

function resolve(document: Json, place: readonly string[], response: Json): Found {
  if (response.$ref === undefined) return { place, response };
  const names = String(response.$ref).split('/').slice(1);
  return { place: names, response: names.reduce((at, name) => at[name], document) };
}

/** Headers that any answer may have for HTTP, browsers and proxies. Operations do not document them. */
const ofEveryAnswer =
  /^(?:date|connection|keep-alive|transfer-encoding|content-length|content-type|cache-control|vary|access-control-[\w-]+|x-content-type-options|content-security-policy|strict-transport-security|referrer-policy|cross-origin-[\w-]+|permissions-policy|x-frame-options)$/;

function headerBreaches(document: Json, response: Json, { headers }: Exchange): string[] {
  const documented = new Map(
    Object.entries<Json>(response.headers ?? {}).map(([name, header]) => [
      name.toLowerCase(),
      resolve(document, [], header).response,
    ]),
  );
  const missing = [...documented]
    .filter(([name, { required }]) => required && headers[name] === undefined)
    .map(([name]) => `the header ${name} is missing`);
  const wrong = Object.entries(headers).flatMap(([name, value]) => {
    if (documented.has(name))
      return isOfForm(documented.get(name), value) ? [] : [`${name}: ${value}`];
    return ofEveryAnswer.test(name) ? [] : [`the header ${name} is not documented`];
  });
  return [...missing, ...wrong];
}

function isOfForm({ schema }: Json, value: string): boolean {
  if (schema.const !== undefined && schema.const !== value) return false;
  return schema.pattern === undefined || new RegExp(schema.pattern).test(value);
}

function bodyBreaches(
  { place, response }: Found,
  { method, headers, text }: Exchange,
  checkValue: ReturnType<typeof createSchemaChecks>,
): string[] {
  const type = headers['content-type']?.split(';', 1)[0]?.trim();
  if (response.content === undefined) {
    return type === undefined && !text ? [] : ['a body is not documented'];
  }
  if (type === undefined || response.content[type] === undefined) {
    return [`the type ${type} is not documented`];
  }
  if (method === 'HEAD' || text === null || type !== 'application/json') return [];
  const fault = checkValue(pointerTo(...place, 'content', type, 'schema'), JSON.parse(text));
  return fault === null ? [] : [`${fault} in ${text.slice(0, 2_000)}`];
}
