import { test } from 'tap';
import { FairLine } from '../../src/domain/fair-line.ts';
import type { OrganisationId } from '../../src/domain/ulid.ts';

const [a, b, c] = ['a', 'b', 'c'] as OrganisationId[] as [
  OrganisationId,
  OrganisationId,
  OrganisationId,
];

function lineOf(...waiters: readonly (readonly [OrganisationId, string])[]) {
  const line = new FairLine<string>();
  for (const [organisationId, waiter] of waiters) line.join(organisationId, waiter);
  return line;
}

function all(line: FairLine<string>): string[] {
  const found: string[] = [];
  for (let next = line.next(); next !== undefined; next = line.next()) found.push(next);
  return found;
}

test('organisations take turns, and each is served in its own order', async (t) => {
  const line = lineOf([a, 'a1'], [a, 'a2'], [a, 'a3'], [b, 'b1'], [c, 'c1'], [b, 'b2']);
  t.strictSame(all(line), ['a1', 'b1', 'c1', 'a2', 'b2', 'a3']);
  t.equal(line.next(), undefined);
});

test('an organisation that comes back after its turn gets no better place than waiting ones', async (t) => {
  const line = lineOf([a, 'a1'], [b, 'b1'], [b, 'b2']);
  t.equal(line.next(), 'a1');
  line.join(a, 'a2');
  t.strictSame(all(line), ['b1', 'a2', 'b2']);
});

test('a waiter that leaves takes no turn, and neither does its organisation', async (t) => {
  const line = lineOf([a, 'a1'], [b, 'b1'], [a, 'a2'], [c, 'c1']);
  line.leave(b, 'b1');
  line.leave(a, 'a1');
  line.leave(c, 'b1');
  t.strictSame(all(line), ['a2', 'c1']);
  line.leave(a, 'a2');
  t.strictSame(all(line), []);
});

test('a waiter that does not fit keeps its place and lets other organisations pass', async (t) => {
  const line = lineOf([a, 'a1'], [a, 'a2'], [b, 'b1'], [c, 'c1']);
  t.equal(
    line.next((organisationId) => organisationId !== a),
    'b1',
  );
  t.equal(
    line.next((_, waiter) => waiter === 'a2'),
    undefined,
    'no waiter passes others of its own organisation',
  );
  t.equal(line.waiting(a), 2);
  t.strictSame(all(line), ['a1', 'c1', 'a2']);
});

test('clearing a line returns all waiters', async (t) => {
  const line = lineOf([a, 'a1'], [b, 'b1'], [a, 'a2']);
  t.strictSame(line.clear(), ['a1', 'a2', 'b1']);
  t.equal(line.next(), undefined);
  t.equal(line.waiting(a), 0);
});
