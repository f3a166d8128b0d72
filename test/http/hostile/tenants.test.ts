import fc from 'fast-check';
import { test } from 'tap';
import { arbitraryOf } from '../../support/hostile/arbitrary-of-schema.ts';
import type { Operation } from '../../support/hostile/operations.ts';
import { parametersIn, requestOf, type Values } from '../../support/hostile/request-of.ts';
import { createSender, type RawAnswer } from '../../support/hostile/send.ts';
import {
  type Belongings,
  createWorld,
  kindOf,
  kindOfField,
  kinds,
  knownOf,
  unknownId,
} from '../../support/hostile/world.ts';
import type { HttpService } from '../../support/http-service.ts';

const { SEED } = process.env;

/** One request with ids of another organisation, and the same with unknown ids. */
test('ids of another organisation are answered like unknown ids in every operation', async (t) => {
  const world = await createWorld(t);
  const { service, document, mine, theirs, belongings } = world;
  const sender = createSender(service.port);
  t.teardown(() => sender.close());
  const seed = Number(SEED ?? Date.now() % 2 ** 31);
  t.comment(`replay with SEED=${seed}`);
  const nobodys = Object.fromEntries(
    kinds.map((kind) => [kind, [unknownId(kind)]]),
  ) as unknown as Belongings;
  const foreign = Object.values(belongings.theirs).flat();
  let crossings = 0;
  let known = await snapshot(service, theirs.key);
  for (const operation of world.operations) {
    if (operation.scope === null) continue;
    const name = `${operation.method} ${operation.path}`;
    const named = namesOf(operation);
    const valuesWith = (own: Belongings): Values => {
      const context = { document, known: knownOf(operation, own) };
      const arbitrary = fc.record({
        path: fc.record(
          Object.fromEntries(
            parametersIn(operation, 'path').map((one) => [
              one.name,
              arbitraryOf(context, one.schema, one.name),
            ]),
          ),
        ),
        query: fc.record(
          Object.fromEntries(
            parametersIn(operation, 'query')
              .filter((one) => named.includes(one.name))
              .map((one) => [one.name, arbitraryOf(context, one.schema, one.name)]),
          ),
        ),
        body: operation.body ? arbitraryOf(context, operation.body.schema) : fc.constant(undefined),
      });
      const [drawn] = fc.sample(arbitrary, { seed, numRuns: 1 });
      return { header: {}, ...(drawn as Omit<Values, 'header'>) };
    };
    for (const at of named) {
      const kind = kindOf(operation, at) ?? kindOfField(at);
      if (kind === null) continue;
      crossings += 1;
      const answers = [];
      for (const others of [belongings.theirs, nobodys]) {
        const mixed = { ...belongings.mine, [kind]: others[kind] } as Belongings;
        const values = valuesWith(mixed);
        const inBody = operation.body?.schema.properties?.[at] !== undefined;
        const body = inBody ? { ...Object(values.body), [at]: others[kind][0] } : values.body;
        const request = requestOf(operation, { ...values, body }, mine.key);
        answers.push(comparable(await sender.send(request), others[kind]));
      }
      t.strictSame(answers[0], answers[1], `${name}: ${at}`);
      for (const id of foreign) {
        const isRevealed = answers[0]?.text.includes(id);
        if (isRevealed) t.fail(`${name}: ${at} reveals ${id}`);
      }
      const after = await snapshot(service, theirs.key);
      t.strictSame(after, known, `${name}: nothing changed`);
      known = after;
    }
  }
  t.ok(crossings >= 20, `${crossings} crossings`);
});

/** The parameters and fields of an operation that name something of an organisation. */
function namesOf(operation: Operation): readonly string[] {
  const inQuery = parametersIn(operation, 'query').filter(({ name }) => kindOfField(name) !== null);
  const inPath = parametersIn(operation, 'path');
  const inBody = Object.keys(operation.body?.schema.properties ?? {}).filter(
    (name) => name === 'workspace',
  );
  return [...new Set([...[...inPath, ...inQuery].map(({ name }) => name), ...inBody])];
}

/** An answer without random parts and without the requested ids. */
function comparable({ status, text }: RawAnswer, ids: readonly string[]) {
  const forms = ids.flatMap((id) => [id, encodeURIComponent(id)]);
  const anonymous = forms.reduce((rest, id) => rest.replaceAll(id, 'ID'), text);
  return { status, text: anonymous.replace(/"(timestamp|createdAt|recordedAt)":"[^"]*"/g, '') };
}

const lists = ['/workspaces', '/documents', '/agent/runs', '/agent/decisions', '/webhooks'];

/** Everything visible to an organisation. */
async function snapshot(service: HttpService, key: string): Promise<readonly string[]> {
  const answers = await Promise.all(
    [...lists, '/api-keys'].map((path) => service.call('GET', path, { key })),
  );
  return answers.map(({ text }) => text.replace(/"lastUsedAt":("[^"]*"|null)/g, ''));
}
