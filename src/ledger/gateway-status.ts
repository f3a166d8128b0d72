import { isDeepStrictEqual } from 'node:util';
import type { LedgerFees, LedgerServer, LedgerStatus } from './contract.ts';
import type { ServerStatus, StatedFees } from './server-status.ts';
import { isOutrun, maxLagLedgers } from './shown-tip.ts';

type Ready = Extract<ServerStatus, { state: 'ready' }>;

/** The server as operators see it. */
export function serverOf(name: string, status: ServerStatus): LedgerServer {
  const none = { tip: null, reason: null, amendmentBlocked: false, unsupportedMajority: null };
  const { state } = status;
  if (state === 'ready') {
    const { tip, unsupportedMajority } = status;
    return { ...none, name, state, tip, unsupportedMajority };
  }
  const { reason } = status;
  const amendmentBlocked = state === 'lost' && status.amendmentBlocked === true;
  return { ...none, name, state, reason, amendmentBlocked };
}

/** Status of all servers together: the newest tip, and fees that were stated at about this tip. */
export function statusOf(states: readonly ServerStatus[]): LedgerStatus {
  const ready = states.filter((state) => state.state === 'ready');
  if (ready.length === 0) {
    const reasons = states.map((state) => ('reason' in state ? state.reason : ''));
    return { connected: false, reason: reasons.join('; ') };
  }
  const newest = ready.reduce((best, state) => (state.tip.index > best.tip.index ? state : best));
  const { networkId, tip } = newest;
  // A server of a public network may call itself a development ledger.
  const standalone = ready.every((state) => state.standalone);
  const epoch = states.map((state) => (state.state === 'ready' ? state.connection : '-')).join(' ');
  const outruns = ready.some((state) => isOutrun(tip.index, state.tip));
  const fees = feesAmong(ready, tip.index);
  return { connected: true, networkId, epoch, standalone, tip, outruns, ...fees };
}

/**
 * Returns a function that gives each epoch of a sequence of statuses a number of its own. Otherwise an
 * epoch would come back when a server has connected and left.
 */
export function numberEpochs(): (status: LedgerStatus) => LedgerStatus {
  let last: string | null = null;
  let changes = 0;
  return (status) => {
    const epoch = status.connected ? status.epoch : null;
    if (epoch !== last) changes += 1;
    last = epoch;
    return status.connected ? { ...status, epoch: `${changes}: ${epoch}` } : status;
  };
}

/** Returns true if nothing has changed. */
export function isSame(a: LedgerStatus, b: LedgerStatus): boolean {
  if (!a.connected || !b.connected) {
    return !a.connected && !b.connected && a.reason === b.reason;
  }
  const fees = a.openLedgerFeeDrops === b.openLedgerFeeDrops && a.baseFeeDrops === b.baseFeeDrops;
  return (
    fees &&
    a.queueFeeDrops === b.queueFeeDrops &&
    a.expectedLedgerSize === b.expectedLedgerSize &&
    a.tip.hash === b.tip.hash &&
    a.outruns === b.outruns &&
    a.epoch === b.epoch
  );
}

/**
 * Fees of the servers that stated theirs at about this ledger; if none is recent, of the latest statement.
 *
 * The lowest of each fee counts by itself, since one server may be loaded, or lie. The cheapest takes the
 * transactions that another refuses. A fee that is too low makes transactions wait, or expire and be signed
 * again, as long as the open ledger is crowded. A server that states no fee of the open ledger is left out;
 * if none states one, it is the base fee.
 *
 * The median of the ledger's size counts: a size that is too low throttles, and one that is too high signs
 * what the open ledger has no place for. A preferred server would be believed alone. Of two servers the
 * lower size counts.
 *
 * The base fee and the reserve are values of the ledger: the most frequent one counts, that of the preferred
 * server if another is as frequent. No server takes less than the base fee.
 */
function feesAmong(ready: readonly Ready[], tipIndex: number): LedgerFees {
  const recent = ready.filter((state) => tipIndex - state.feesAt <= maxLagLedgers);
  const latest = ready.reduce((best, state) => (state.feesAt > best.feesAt ? state : best));
  const stated = recent.length > 0 ? recent : [latest];
  const baseFeeDrops = mostFrequent(stated.map((each) => each.baseFeeDrops)) ?? latest.baseFeeDrops;
  const lowest = (feeOf: (fees: StatedFees) => number | null) => {
    const all = stated.map(feeOf).filter((fee) => fee !== null);
    return all.length === 0 ? baseFeeDrops : Math.max(baseFeeDrops, Math.min(...all));
  };
  return {
    baseFeeDrops,
    openLedgerFeeDrops: lowest((fees) => fees.openLedgerFeeDrops),
    queueFeeDrops: lowest((fees) => fees.queueFeeDrops),
    expectedLedgerSize: median(stated.map((fees) => fees.expectedLedgerSize)),
    reserve: mostFrequent(stated.flatMap(({ reserve }) => reserve ?? [])),
  };
}

/** The first of the most frequent values; null without values. */
function mostFrequent<Value>(values: readonly Value[]): Value | null {
  const timesOf = (value: Value) => values.filter((each) => isDeepStrictEqual(each, value)).length;
  return values.reduce<Value | null>(
    (best, value) => (best === null || timesOf(value) > timesOf(best) ? value : best),
    null,
  );
}

/** The lower one of two in the middle. */
function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.ceil(sorted.length / 2) - 1] ?? 0;
}
