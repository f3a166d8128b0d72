import fc from 'fast-check';
import {
  type Post,
  type Scenario,
  stepFaults,
  steps,
  type UploadPost,
  type WorldEvent,
} from './faults.ts';

const second = 1_000;
/** Period in which all faults happen. */
const spanMs = 90 * second;

const during = (maxMs: number) => fc.integer({ min: 500, max: maxMs });
const count = (max: number) => fc.integer({ min: 1, max });
const server = fc.nat({ max: 1 });
const process = fc.nat({ max: 2 });

const freezes = stepFaults.filter((fault) => fault.includes('frozen'));

const worldEvent: fc.Arbitrary<WorldEvent> = fc.oneof(
  event('connections closed with 1008', { server }),
  event('server silent', { server, forMs: during(60 * second) }),
  event('server slowed down', { server, count: count(40) }),
  event('server lags', { server, ledgers: count(4), forMs: during(60 * second) }),
  event('server forgets history', { server, ledgers: count(12), forMs: during(90 * second) }),
  event('ledgers that no process saw are forgotten', { forMs: during(120 * second) }),
  event('server shows another ledger', { server, forMs: during(60 * second) }),
  event('ledger halted', { forMs: during(240 * second) }),
  event('ledger reset', { settledAfterMs: during(60 * second) }),
  event('load factor 1,000', { forMs: during(60 * second) }),
  // More often than the rest: only what is signed shortly before is replaced.
  ...[1, 2, 3].flatMap(() => [
    event('others fill every ledger', { forMs: during(30 * second) }),
    event('fees rise', { factor: fc.integer({ min: 2, max: 99 }), forMs: during(30 * second) }),
  ]),
  event('queue full', { forMs: during(60 * second) }),
  event('somebody else uses our Sequence', { account: fc.nat({ max: 1 }) }),
  event('transactions end with a tec', { count: count(4) }),
  event('accepted transactions vanish', { count: count(6) }),
  event('database away', { forMs: during(30 * second) }),
  event('clock jumps', { byMs: fc.integer({ min: -3_600 * second, max: 3_600 * second }) }),
  event('process killed', { process, forMs: fc.constant(0) }),
  event('process frozen', { process, forMs: during(60 * second) }),
  event('process follows the log late', { process, forMs: during(30 * second) }),
  event('locks lost', { process }),
  event('API killed', { forMs: fc.constant(0) }),
  event('an operator gives up', { proof: fc.nat({ max: 9 }) }),
);

const post: fc.Arbitrary<Post> = fc.record({
  atMs: fc.integer({ min: 0, max: spanMs }),
  file: fc.nat({ max: 29 }),
  queued: fc.boolean(),
  again: fc.nat({ max: 3 }),
  pauseMs: fc.integer({ min: 100, max: 20 * second }),
});

const upload: fc.Arbitrary<UploadPost> = fc.record({
  atMs: fc.integer({ min: 0, max: spanMs }),
  document: fc.nat({ max: 3 }),
  file: fc.nat({ max: 29 }),
  again: fc.nat({ max: 3 }),
  pauseMs: fc.integer({ min: 100, max: 20 * second }),
});

/** Random histories with several simultaneous faults at any moment. */
export const arbitraryScenario: fc.Arbitrary<Scenario> = fc
  .record({
    seed: fc.integer({ min: 0, max: 2 ** 31 - 1 }),
    network: fc.constantFrom('testnet', 'testnet', 'mainnet'),
    processes: fc.integer({ min: 1, max: 3 }),
    servers: fc.integer({ min: 1, max: 2 }),
    accounts: fc.integer({ min: 1, max: 2 }),
    fullSigners: fc.integer({ min: 1, max: 3 }),
    closeMs: fc.constantFrom(1_000, 2_000, 4_000),
    waitMs: fc.integer({ min: 12 * second, max: 45 * second }),
    latencyMs: fc.constantFrom(0, 20, 200, 2_000),
    posts: fc.array(post, { minLength: 1, maxLength: 30, size: 'medium' }),
    uploads: fc.array(upload, { maxLength: 20, size: 'medium' }),
    allowance: fc.oneof(fc.constant(null), fc.constant(null), fc.integer({ min: 1, max: 12 })),
    planned: fc.array(
      fc.record({
        step: fc.constantFrom(...steps),
        nth: fc.nat({ max: 30 }),
        // Prefer freezes: a process that wakes up in the middle of a step is the hardest case.
        fault: fc.constantFrom(...stepFaults, ...freezes, ...freezes),
      }),
      { maxLength: 20, size: 'medium' },
    ),
    events: fc.array(
      fc
        .tuple(worldEvent, fc.integer({ min: 0, max: spanMs }))
        .map(([what, atMs]) => ({ ...what, atMs })),
      { maxLength: 8, size: 'medium' },
    ),
  })
  // A transaction lives for eight ledgers, so longer latencies could never be anchored.
  .map((scenario) => {
    const latencyMs = Math.min(scenario.latencyMs, scenario.closeMs / 2);
    return { ...scenario, latencyMs } as Scenario;
  });

/** Events that need an operator's own decision, or show another ledger. */
const apart: readonly WorldEvent['kind'][] = ['ledger reset', 'server shows another ledger'];

/** The same histories, in which the database loses its newest events once or twice. */
export const arbitraryLossyScenario: fc.Arbitrary<Scenario> = fc
  .tuple(
    arbitraryScenario,
    fc.array(fc.record({ count: count(30), atMs: fc.integer({ min: 3 * second, max: spanMs }) }), {
      minLength: 1,
      maxLength: 2,
    }),
  )
  .map(([scenario, losses]) => {
    const kind = 'database loses its newest events' as const;
    const others = scenario.events.filter((one) => !apart.includes(one.kind));
    return { ...scenario, events: [...others, ...losses.map((loss) => ({ kind, ...loss }))] };
  });

function event<Kind extends WorldEvent['kind']>(
  kind: Kind,
  fields: { readonly [Name in string]: fc.Arbitrary<number> },
): fc.Arbitrary<WorldEvent> {
  // The fields belong to the kind, which running the list above checks.
  return fc.record({ kind: fc.constant(kind), ...fields }) as unknown as fc.Arbitrary<WorldEvent>;
}
