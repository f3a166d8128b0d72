import type { LedgerFees, LedgerServer, LedgerStatus } from './contract.ts';
import type { ServerStatus } from './server-status.ts';
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
 * Lowest fees of the servers that stated theirs at about this ledger, since one of them may be loaded, or
 * lie. The cheapest takes the transactions that another refuses. If no fees are recent, the latest count.
 *
 * The base fee is a value of the ledger: the most frequent one counts, that of the preferred server if
 * another is as frequent. No server takes less.
 */
function feesAmong(ready: readonly Ready[], tipIndex: number): LedgerFees {
  const latest = ready.reduce((best, state) => (state.feesAt > best.feesAt ? state : best));
  const recent = ready.filter((state) => tipIndex - state.feesAt <= maxLagLedgers);
  const { openLedgerFeeDrops, queueFeeDrops, expectedLedgerSize, reserve } = recent.reduce(
    (best, state) => (state.queueFeeDrops < best.queueFeeDrops ? state : best),
    latest,
  );
  const statedBy = (drops: number) => recent.filter((state) => state.baseFeeDrops === drops).length;
  const { baseFeeDrops } = recent.reduce(
    (best, state) => (statedBy(state.baseFeeDrops) > statedBy(best.baseFeeDrops) ? state : best),
    recent[0] ?? latest,
  );
  return {
    baseFeeDrops,
    openLedgerFeeDrops: Math.max(baseFeeDrops, openLedgerFeeDrops),
    queueFeeDrops: Math.max(baseFeeDrops, queueFeeDrops),
    expectedLedgerSize,
    reserve,
  };
}
