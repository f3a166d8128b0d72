import { type Test, test } from 'tap';
import { createStandaloneLedger } from '../../src/embedded/standalone-ledger/create-standalone-ledger.ts';
import { openGateway } from '../../src/ledger/gateway.ts';
import { findDegraded } from '../../src/program/find-degraded.ts';
import { findReadiness } from '../../src/program/find-readiness.ts';
import { createTestStore } from '../support/event-store.ts';
import { until } from '../support/until.ts';

/** New proofs are anchored on mainnet, earlier ones are on testnet. Each has a ledger of its own. */
async function startTwoNetworks(t: Test) {
  const { db, pool, store } = await createTestStore(t);
  const start = async (network: 'mainnet' | 'testnet', networkId: number) => {
    const ledger = await createStandaloneLedger({ networkId, closeMs: 250 });
    const gateway = openGateway({ network, urls: [ledger.url] });
    t.teardown(async () => {
      await gateway.close();
      await ledger.stop();
    });
    const pauses: { paused: 'noAccount' | null } = { paused: null };
    const delays = { queuedAtMaxFee: false, submissionLimit: false };
    const anchoring = { network, paused: () => pauses.paused, delays: () => delays };
    return { ledger, gateway, pauses, delays, anchoring };
  };
  const newProofs = await start('mainnet', 0);
  const earlier = await start('testnet', 1);
  const both = [newProofs, earlier];
  const anchorings = both.map(({ anchoring }) => anchoring);
  const notReady = findReadiness({ database: { db, pool }, store }, both, anchorings);
  const degraded = findDegraded(null, both, anchorings);
  const parts = async () => ({ notReady: await notReady(), degraded: await degraded() });
  await until('both are connected', async () =>
    both.every(({ gateway }) => gateway.current().connected),
  );
  return { newProofs, earlier, parts };
}

test('a service is ready while the network of earlier proofs is paused or away', async (t) => {
  const { earlier, parts } = await startTwoNetworks(t);
  t.strictSame(await parts(), { notReady: [], degraded: [] });
  earlier.pauses.paused = 'noAccount';
  t.strictSame(await parts(), {
    notReady: [],
    degraded: ['anchoring on standalone: every configured anchoring account is retired'],
  });
  earlier.pauses.paused = null;
  await earlier.ledger.stop();
  await until('it is away', async () => !earlier.gateway.current().connected);
  t.strictSame(await parts(), {
    notReady: [],
    degraded: ['ledger standalone: not connected'],
  });
});

test('a service is not ready while the network of new proofs is paused or away', async (t) => {
  const { newProofs, parts } = await startTwoNetworks(t);
  newProofs.pauses.paused = 'noAccount';
  t.strictSame(await parts(), {
    notReady: ['anchoring: every configured anchoring account is retired'],
    degraded: [],
  });
  newProofs.pauses.paused = null;
  await newProofs.ledger.stop();
  await until('it is away', async () => !newProofs.gateway.current().connected);
  t.strictSame(await parts(), {
    notReady: ['ledger standalone: not connected'],
    degraded: [],
  });
});

test('a service is ready while proofs wait for a fee or for the limits of servers', async (t) => {
  const { newProofs, earlier, parts } = await startTwoNetworks(t);
  newProofs.delays.queuedAtMaxFee = true;
  earlier.delays.submissionLimit = true;
  t.strictSame(await parts(), {
    notReady: [],
    degraded: [
      'anchoring: slow; the open ledger asks for a higher fee than MAX_FEE_DROPS, and transactions wait in the queue of the servers',
      'anchoring on standalone: slow; transactions wait for the limits that the servers set for submissions',
    ],
  });
});
