import { test } from 'tap';
import { numberEpochs, statusOf } from '../../src/ledger/gateway-status.ts';
import type { ServerStatus } from '../../src/ledger/server-status.ts';

const honest = {
  ...{ state: 'ready', networkId: 1, connection: 1, standalone: false, unsupportedMajority: null },
  tip: { index: 100, hash: 'A'.repeat(64), closeTime: 817_000_000 },
  ...{ feesAt: 100, baseFeeDrops: 10, openLedgerFeeDrops: 10, queueFeeDrops: 10 },
  expectedLedgerSize: 200,
  reserve: { baseDrops: 1_000_000, perObjectDrops: 200_000 },
} as const satisfies ServerStatus;

const feesOf = (...states: readonly ServerStatus[]) => {
  const status = statusOf(states);
  if (!status.connected) throw new Error(status.reason);
  const { baseFeeDrops, openLedgerFeeDrops, queueFeeDrops, expectedLedgerSize, reserve } = status;
  return { baseFeeDrops, openLedgerFeeDrops, queueFeeDrops, expectedLedgerSize, reserve };
};

test('one server of several changes neither the fees nor the size of a ledger nor the reserve', async (t) => {
  const wanted = feesOf(honest);
  const lies = { baseFeeDrops: 9, openLedgerFeeDrops: 9e8, queueFeeDrops: 9 };
  const reserve = { baseDrops: 1, perObjectDrops: 1 };
  for (const expectedLedgerSize of [1, 1e9]) {
    const liar = { ...honest, ...lies, expectedLedgerSize, reserve };
    t.same(feesOf(liar, honest, honest), wanted);
    t.same(feesOf(honest, honest, liar), wanted);
    const ahead = { ...liar, tip: { ...honest.tip, index: 101 }, feesAt: 101 };
    t.same(feesOf(honest, ahead, honest), wanted, 'a ledger ahead');
  }
});

test('of two servers, the lower size of a ledger counts, and the reserve of the preferred one', async (t) => {
  const other = { ...honest, expectedLedgerSize: 50, reserve: { baseDrops: 1, perObjectDrops: 1 } };
  t.match(feesOf(honest, other), { expectedLedgerSize: 50, reserve: honest.reserve });
  t.match(feesOf(other, honest), { expectedLedgerSize: 50, reserve: other.reserve });
  t.same(feesOf({ ...honest, reserve: null }, honest).reserve, honest.reserve, 'if it states one');
  t.equal(feesOf({ ...honest, reserve: null }).reserve, null);
});

test('the lowest of each fee counts, whichever server asks for it', async (t) => {
  const crowded = { ...honest, openLedgerFeeDrops: 500 };
  const loaded = { ...honest, openLedgerFeeDrops: 200, queueFeeDrops: 200 };
  t.match(feesOf(crowded, loaded), { openLedgerFeeDrops: 200, queueFeeDrops: 10 });
  t.match(feesOf(loaded, crowded), { openLedgerFeeDrops: 200, queueFeeDrops: 10 });
  const below = { ...honest, openLedgerFeeDrops: 1, queueFeeDrops: 1 };
  t.match(feesOf(below, crowded), { openLedgerFeeDrops: 10, queueFeeDrops: 10 }, 'the base fee');
});

test('a server that states no fee of the open ledger does not lower it', async (t) => {
  const silent = { ...honest, openLedgerFeeDrops: null };
  const crowded = { ...honest, openLedgerFeeDrops: 500, queueFeeDrops: 20 };
  for (const states of [
    [silent, crowded],
    [crowded, silent],
  ]) {
    t.match(feesOf(...states), { openLedgerFeeDrops: 500, queueFeeDrops: 10 });
  }
  t.match(feesOf(silent, silent), { openLedgerFeeDrops: 10 }, 'the base fee if none states it');
});

test('without recent fees, the latest ones count', async (t) => {
  const ahead = { ...honest, tip: { ...honest.tip, index: 110 } };
  const later = { ...ahead, feesAt: 105, openLedgerFeeDrops: 500, queueFeeDrops: 500 };
  t.match(feesOf(ahead, later), { openLedgerFeeDrops: 500, queueFeeDrops: 500 });
});

test('no epoch comes back after a server has connected and left', async (t) => {
  const numbered = numberEpochs();
  const epochOf = (...states: readonly ServerStatus[]) => {
    const status = numbered(statusOf(states));
    return status.connected ? status.epoch : null;
  };
  const lost: ServerStatus = { state: 'lost', reason: 'closed' };
  const alone = epochOf(lost, honest);
  t.equal(epochOf(lost, { ...honest, feesAt: 101 }), alone, 'only servers count');
  const both = epochOf(honest, honest);
  const again = epochOf(lost, honest);
  t.equal(new Set([alone, both, again]).size, 3);
  t.equal(epochOf(lost, lost), null);
  t.not(epochOf(lost, honest), again);
});
