import fc from 'fast-check';
import { test } from 'tap';
import { deliveryBody } from '../../src/webhooks/delivery-body.ts';
import { anyCharacter } from '../support/any-character.ts';

const head = { type: 'agent.run.recorded', timestamp: '2026-11-21T08:00:00.000Z' } as const;

test('a body has type, timestamp and data', async (t) => {
  const body = deliveryBody({ ...head, data: { runId: 'r', objective: null } });
  t.strictSame(JSON.parse(body), { ...head, data: { runId: 'r', objective: null } });
});

test('the largest members of oversized data are omitted, and named', async (t) => {
  const data = {
    runId: 'r',
    coverage: 'é'.repeat(9_000),
    objective: 'o'.repeat(15_000),
    noOp: true,
  };
  const body = JSON.parse(deliveryBody({ ...head, data }));
  t.same(body.data, {
    runId: 'r',
    noOp: true,
    objective: data.objective,
    omitted: ['coverage'],
  });
  const larger = { ...data, coverage: 'é'.repeat(10_000), objective: 'o'.repeat(21_000) };
  const rest = JSON.parse(deliveryBody({ ...head, data: larger }));
  t.strictSame(rest.data, { runId: 'r', noOp: true, omitted: ['objective', 'coverage'] });
});

test('the body stays below 20 kB for any data', async (t) => {
  const member = fc.tuple(
    fc.string({ maxLength: 9 }),
    fc.string({ maxLength: 12_000, unit: anyCharacter }),
  );
  fc.assert(
    fc.property(fc.array(member, { maxLength: 12 }), (members) => {
      const body = deliveryBody({ ...head, data: Object.fromEntries(members) });
      return Buffer.byteLength(body) < 20_000;
    }),
    { numRuns: 50 },
  );
  t.pass('nothing was too large');
});
