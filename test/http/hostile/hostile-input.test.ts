import fc, { type Arbitrary } from 'fast-check';
import { type Test, test } from 'tap';
import { arbitraryOf } from '../../support/hostile/arbitrary-of-schema.ts';
import type { Operation, Parameter } from '../../support/hostile/operations.ts';
import { parametersIn, requestOf, type Values } from '../../support/hostile/request-of.ts';
import { createSender, type RawAnswer, type RawRequest } from '../../support/hostile/send.ts';
import { hostileJson, hostileText, spoil } from '../../support/hostile/spoil.ts';
import { createWorld, knownOf, type World } from '../../support/hostile/world.ts';
import { runCount } from '../../support/run-count.ts';

/** `SEED` replays all requests of a run. */
const { SEED } = process.env;
/** Number of requests for each kind and operation. */
const runs = runCount(10, 16);

/** Operations that render or receive files, which take longest. */
const slow = /certificates|bundle|\/documents(\/\{id\}\/version)?$/;
/** Most generated keys expire in the past, or exceed their issuer's rights. */
const mostlyRefused = /\/api-keys$/;

test('every answer to a hostile request is documented, and a refusal stores nothing', async (t) => {
  t.setTimeout(0);
  const seed = Number(SEED ?? Date.now() % 2 ** 31);
  t.comment(`replay with SEED=${seed}`);
  const world = await createWorld(t);
  const sender = createSender(world.service.port);
  t.teardown(() => sender.close());
  const { organisationId, key } = world.mine;
  const agent = await world.service.issueKey(organisationId, { agent: true });
  let requests = 0;
  // PATCH and DELETE come last, so that their objects stay unchanged until then.
  const last = ({ method }: Operation) => ['PATCH', 'DELETE'].indexOf(method);
  for (const operation of world.operations.toSorted((a, b) => last(a) - last(b))) {
    const begun = performance.now();
    const heard = new Map<number, number>();
    const writes = operation.method !== 'GET';
    const least = writes && mostlyRefused.test(operation.path) ? 50 : 0;
    const count = Math.max(least, writes && slow.test(operation.path) ? runs / 2 : runs);
    const values = arbitraryValues(world, operation);
    // An agent's key if the operation has fields for agents only.
    const as = operation.scope === 'documents:write' ? agent : key;
    const valid = values.map((one) => requestOf(operation, one, as));
    const invalid = fc.oneof(
      {
        weight: 4,
        arbitrary: spoiled(operation, values).map((one) => requestOf(operation, one, as)),
      },
      { weight: 1, arbitrary: garbled(valid) },
    );
    for (const [kind, arbitrary] of [
      ['valid', valid],
      ['spoiled', invalid],
    ] as const) {
      const holds = fc.asyncProperty(arbitrary, async (raw) => {
        requests += 1;
        const before = await stateOf(world);
        const answer = await sender.send(raw);
        if (kind === 'valid') heard.set(answer.status, (heard.get(answer.status) ?? 0) + 1);
        await check(world, operation, answer, before);
      });
      const result = await fc.check(holds, { seed, numRuns: Math.ceil(count) });
      if (result.failed) fail(t, operation, result);
    }
    const succeeded = [...heard].some(([status]) => status < 400);
    t.comment(`${Math.round(performance.now() - begun)} ms`);
    const answers = JSON.stringify(Object.fromEntries(heard));
    const name = `${operation.method} ${operation.path}`;
    t.ok(succeeded, `${name}: valid requests were answered ${answers}`);
  }
  const files = new Set(await world.storedFiles());
  t.comment(`${requests} requests; ${files.size} files`);
  t.ok(requests > world.operations.length * runs);
});

/** Allowed values, and existing ids. */
function arbitraryValues(world: World, operation: Operation): Arbitrary<Values> {
  const { document } = world;
  const context = { document, known: knownOf(operation, world.belongings.mine) };
  const placed = (place: Parameter['in']) => {
    const parameters = parametersIn(operation, place);
    const fields = Object.fromEntries(
      parameters.map(({ name, schema }) => [name, arbitraryOf(context, schema, name)]),
    );
    const requiredKeys = parameters.filter(({ required }) => required).map(({ name }) => name);
    return fc.record(fields, { requiredKeys });
  };
  const { body } = operation;
  const content = body === null ? fc.constant(undefined) : arbitraryOf(context, body.schema);
  return fc.record({
    path: placed('path'),
    query: placed('query'),
    header: placed('header'),
    body: content,
  });
}

/** A valid request with one fault. */
function spoiled(operation: Operation, values: Arbitrary<Values>): Arbitrary<Values> {
  const places = (['path', 'query', 'header'] as const).flatMap((place) =>
    parametersIn(operation, place).map(({ name }) => [place, name] as const),
  );
  const inBody = operation.body === null ? [] : Array.from({ length: 4 }, () => null);
  const unknown = ['query', 'unknown'] as const;
  const where = fc.constantFrom(...places, ...inBody, unknown);
  return fc
    .tuple(values, where, fc.nat(), hostileText, hostileJson)
    .map(([one, at, choice, text, json]) => {
      if (at === null) return { ...one, body: spoil(one.body, choice, json) };
      const [place, name] = at;
      return { ...one, [place]: { ...one[place], [name]: text } };
    });
}

/** A request with an invalid body or a false description of it. */
function garbled(valid: Arbitrary<RawRequest>): Arbitrary<RawRequest> {
  const type = fc.constantFrom(
    'text/plain',
    'application/json; charset=utf-16',
    'multipart/form-data',
    'multipart/form-data; boundary=',
    '',
    'x',
  );
  return fc
    .tuple(
      valid,
      fc.constantFrom('cut', 'noise', 'type'),
      fc.uint8Array(),
      fc.double({ min: 0, max: 1, noNaN: true }),
      type,
    )
    .map(([raw, how, bytes, share, contentType]) => {
      const { body, headers } = raw;
      if (how === 'type') return { ...raw, headers: { ...headers, 'content-type': contentType } };
      if (how === 'noise' || body === null) return { ...raw, body: Buffer.from(bytes) };
      return { ...raw, body: body.subarray(0, Math.floor(body.length * share)) };
    });
}

interface State {
  readonly head: number;
  readonly files: readonly string[] | null;
}

async function stateOf(world: World): Promise<State> {
  return { head: await world.service.store.head(), files: await world.storedFiles() };
}

async function check(
  world: World,
  { statuses }: Operation,
  { status, headers, text }: RawAnswer,
  before: State,
): Promise<void> {
  const summary = `${status} ${text.slice(0, 500)}`;
  // A path changed by a hostile value may match no route.
  if (!statuses.includes(status) && status !== 404 && status !== 405) {
    throw new Error(`the document names no such answer: ${summary}`);
  }
  const requestId = headers['x-request-id'];
  if (typeof requestId !== 'string') throw new Error(`no request id: ${summary}`);
  if (headers['x-injected'] !== undefined) throw new Error(`a header was injected: ${summary}`);
  if (status < 400) return;
  if (status >= 500) throw new Error(summary);
  const body = JSON.parse(text);
  const { success, code, message } = body;
  const isError = success === false && /^[A-Z_]+$/.test(code) && typeof message === 'string';
  if (!isError || message === '') throw new Error(`no error body: ${summary}`);
  if (/\bat .*\.ts:\d|node_modules|SELECT|syntax error/.test(text)) {
    throw new Error(`it tells of the inside: ${summary}`);
  }
  const stored = await world.service.store.readLog(before.head, 1_000);
  if (stored.some(({ meta }) => meta.requestId === requestId)) {
    throw new Error(`a refusal stored an event: ${summary}`);
  }
  const files = await world.storedFiles();
  if (files.some((file) => !before.files?.includes(file))) {
    throw new Error(`a refusal stored a file: ${summary}`);
  }
}

function fail(t: Test, { method, path }: Operation, result: fc.RunDetails<[RawRequest]>): void {
  const [example] = result.counterexample ?? [];
  const body = example?.body?.toString('utf8').slice(0, 2_000);
  t.fail(
    `${method} ${path}: ${String(result.errorInstance)}\n${JSON.stringify({ ...example, body })}`,
  );
}
