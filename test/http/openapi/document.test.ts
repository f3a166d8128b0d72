import { test } from 'tap';
import { statusOf } from '../../../src/http/errors/error-code.ts';
import { routes } from '../../../src/http/routes.ts';
import { closedDocument, documentOf, type Json } from '../../support/contract/closed-document.ts';
import { createSchemaChecks, pointerTo } from '../../support/contract/schemas.ts';

const document = documentOf();

interface Operation {
  readonly path: string;
  readonly method: string;
  readonly operation: Json;
}

function operations(): Operation[] {
  return Object.entries<Json>(document.paths).flatMap(([path, item]) =>
    Object.entries<Json>(item)
      .filter(([name]) => name !== 'servers')
      .map(([method, operation]) => ({ path, method, operation })),
  );
}

function resolved(value: Json): Json {
  if (value?.$ref === undefined) return value;
  const names = String(value.$ref).split('/').slice(1);
  return names.reduce((at, name) => at[name], document);
}

test('every route is an operation with the scope that its key needs', async (t) => {
  const all = [...routes.based, ...routes.root];
  t.equal(operations().length, all.length);
  t.equal(new Set(operations().map(({ operation }) => operation.operationId)).size, all.length);
  for (const route of all) {
    const path = route.path.replace(/[:*](\w+)/g, '{$1}');
    const operation = document.paths[path]?.[route.method.toLowerCase()];
    t.equal(operation?.operationId, route.operationId, `${route.method} ${path}`);
    t.strictSame(operation?.security, route.scope === null ? [] : [{ apiKey: [route.scope] }]);
    t.equal(document.paths[path].servers !== undefined, routes.root.includes(route as Json), path);
  }
});

test('each status lists its possible codes', async (t) => {
  for (const { path, method, operation } of operations()) {
    for (const [status, response] of Object.entries<Json>(operation.responses)) {
      if (Number(status) < 400) continue;
      const { schema } = resolved(response).content['application/json'];
      const codes: readonly string[] = schema.properties.code.enum ?? [
        schema.properties.code.const,
      ];
      t.ok(codes.length > 0, `${method} ${path} ${status}`);
      for (const code of codes) t.equal(statusOf[code as keyof typeof statusOf], Number(status));
    }
  }
  const { 400: bad, 403: forbidden, 502: ledger } = document.paths['/proofs'].post.responses;
  const codesIn = (response: Json) =>
    resolved(response).content['application/json'].schema.properties.code.enum;
  t.strictSame(codesIn(bad), [
    'INVALID_HASH',
    'INVALID_WORKSPACE',
    'INVALID_REQUEST',
    'INVALID_JSON',
  ]);
  t.strictSame(codesIn(forbidden), [
    'SCOPE_NOT_PERMITTED',
    'API_ACCESS_DISABLED',
    'COMPANY_SUSPENDED',
  ]);
  t.strictSame(codesIn(ledger), ['XRPL_ERROR', 'PROOF_NOT_RECORDED']);
});

test('every body has an example that matches its closed schema', async (t) => {
  const check = createSchemaChecks(closedDocument());
  const hold = (pointer: string, { example, examples }: Json) => {
    const all = examples ? Object.values<Json>(examples).map(({ value }) => value) : [example];
    t.not(all[0], undefined, `${pointer} has an example`);
    for (const one of all) t.equal(check(`${pointer}/schema`, one), null, pointer);
  };
  for (const { path, method, operation } of operations()) {
    const at = ['paths', path, method];
    for (const [type, media] of Object.entries<Json>(operation.requestBody?.content ?? {})) {
      hold(pointerTo(...at, 'requestBody', 'content', type), media);
    }
    for (const [status, response] of Object.entries<Json>(operation.responses)) {
      const place = response.$ref ?? pointerTo(...at, 'responses', status);
      for (const [type, media] of Object.entries<Json>(resolved(response).content ?? {})) {
        hold(`${place}/${pointerTo('content', type).slice(2)}`, media);
      }
    }
  }
});

test('every parameter has a description and a valid example', async (t) => {
  const check = createSchemaChecks(document);
  for (const { path, method, operation } of operations()) {
    for (const [place, one] of Object.entries<Json>(operation.parameters ?? [])) {
      const { name, description, schema, example = schema.examples?.[0] } = resolved(one);
      const label = `${method} ${path}: ${name}`;
      t.ok(description, `${label} is described`);
      t.not(example, undefined, `${label} has an example`);
      const at = one.$ref ?? pointerTo('paths', path, method, 'parameters', place);
      t.equal(check(`${at}/schema`, example), null, label);
    }
  }
});

test('parameters are those of the contract, with JSON types', async (t) => {
  const { parameters } = document.paths['/documents'].get;
  const byName = new Map<string, Json>(parameters.map((one: Json) => [one.name, one]));
  t.strictSame([...byName.keys()], ['page', 'limit', 'workspace', 'blockchainStatus', 'search']);
  t.match(byName.get('page').schema, { type: 'integer', minimum: 1, default: 1 });
  t.match(byName.get('limit').schema, { type: 'integer', minimum: 1, maximum: 100, default: 20 });
  t.match(byName.get('blockchainStatus').schema, { enum: ['pending', 'processing', 'completed'] });
  t.ok(parameters.every(({ required }: Json) => required === false));
  const { parameters: ofProof } = document.paths['/proofs/{proofId}'].get;
  t.match(ofProof, [
    { name: 'proofId', in: 'path', required: true },
    { name: 'includeSalt', in: 'query', required: false, schema: { type: 'boolean' } },
  ]);
  t.equal(ofProof[1].schema.default, false);
  const { schema } = document.paths['/proofs'].post.requestBody.content['application/json'];
  t.strictSame(schema.required, ['hash', 'workspace']);
  t.match(schema.properties, {
    hash: { pattern: '^[a-f0-9]{64}$' },
    fileName: { maxLength: 255 },
    metadata: { properties: { description: { maxLength: 500 } } },
  });
});
