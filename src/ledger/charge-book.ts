import { LedgerUnavailable } from './ledger-unavailable.ts';
import {
  type ChargeLimits,
  chargeOf,
  chargeWindowSeconds,
  presentLimits,
  submissionCharge,
} from './request-charge.ts';

/**
 * Our own account of what a server charges us, so that requests wait before it drops us. rippled
 * adds the charge of each request to a sum, takes 1/32 of the sum off each second, and drops the
 * client when 1/32 of the sum reaches a limit. So the balance of a steady load is its charge per
 * second. All connections from one address share it.
 */
export interface ChargeBook {
  /** Sets the limits of the server that was connected; null if it does not charge us. */
  open(limits: ChargeLimits | null): void;
  /**
   * Resolves when the request may go, which is then charged. Submissions go in the order of the
   * calls, and leave room for other requests. Rejects with `LedgerUnavailable` when `abandoned`
   * aborts.
   */
  turn(command: string, abandoned: AbortSignal): Promise<void>;
  /** Notes an answer; `warned` if it carries `warning: load`. */
  answered(answer: { readonly warned: boolean; readonly isError: boolean }): void;
  /**
   * Notes that the server refused us for our load: `dropped` by closing the connection, `slowDown`
   * by an answer. Somebody else may share our address, so we use less of the limit for a while.
   */
  refused(how: 'dropped' | 'slowDown'): void;
  /** Milliseconds until a submission made now may go. */
  waitMs(): number;
  /**
   * Number of submissions that go within this time, including those that wait already; Infinity if
   * they cost nothing.
   */
  submissionsWithin(ms: number): number;
}

/** Decay per second, as an exponent. rippled's decay comes in steps, up to a second later. */
const decay = Math.log(chargeWindowSeconds / (chargeWindowSeconds - 1));
/**
 * Parts of the server's limit that we use. A step of its decay that is still to come (1/32) keeps us
 * below it.
 */
const usedBySubmissions = 0.96;
const usedByAll = 0.968;
/** Charge per second for reading ledgers and fees, for estimates. */
const readingPerSecond = 60;
/** A server that warns nobody in this time, at this part above its warning, does not charge us. */
const unwarnedMs = 3_000;
const surelyWarned = 1.1;
/** Part of the limit that submissions may use: after a refusal, at least, and regained. */
const shareAfterRefusal = 0.7;
const leastShare = 0.2;
const shareRegainedPerMinute = 0.01;
/** Minimum time between two reductions: one burst causes several refusals. */
const settleMs = 10_000;

export function createChargeBook(now: () => number = () => performance.now()): ChargeBook {
  let limits: ChargeLimits | null = null;
  let everRefused = false;
  let sum = 0;
  let agedAt = now();
  let share = 1;
  let reducedAt = Number.NEGATIVE_INFINITY;
  let warnedIn = 0;
  let unwarnedSince: number | null = null;
  let waiting = 0;
  let line: Promise<unknown> | null = null;

  const age = () => {
    const at = now();
    const seconds = Math.max(0, at - agedAt) / 1_000;
    sum *= Math.exp(-decay * seconds);
    share = Math.min(1, share + (seconds / 60) * shareRegainedPerMinute);
    agedAt = at;
  };
  const sumAt = (balance: number) => balance * chargeWindowSeconds;
  const mostBySubmissions = () => sumAt((limits?.drop ?? 0) * usedBySubmissions * share);
  const mostByAll = () => sumAt((limits?.drop ?? 0) * usedByAll);

  /** Milliseconds until the sum has room for the charge. */
  const untilRoom = (charge: number, most: () => number): number => {
    if (limits === null) return 0;
    age();
    const room = Math.max(most() - charge, 1);
    return sum <= room ? 0 : (Math.log(sum / room) / decay) * 1_000;
  };

  const passWithRoom = async (command: string, most: () => number, abandoned: AbortSignal) => {
    const charge = chargeOf(command);
    for (;;) {
      const ms = untilRoom(charge, most);
      if (ms === 0) break;
      await wait(Math.ceil(ms), abandoned);
    }
    sum += charge;
  };

  const lineUp = async (command: string, abandoned: AbortSignal) => {
    waiting += 1;
    const before = line ?? Promise.resolve();
    const passed = before.then(() => passWithRoom(command, mostBySubmissions, abandoned));
    const mine = passed.catch(() => {});
    line = mine;
    try {
      await passed;
    } finally {
      waiting -= 1;
      if (line === mine) line = null;
    }
  };

  /** The server charges for a warning even if the answer, an error, does not show it. */
  const chargeWarning = (present: ChargeLimits, warned: boolean) => {
    const second = Math.floor(now() / 1_000);
    const isDue = warned || sum >= sumAt(present.warning);
    if (!isDue || second === warnedIn) return;
    warnedIn = second;
    sum = Math.max(sum, sumAt(present.warning)) + present.perWarning;
  };

  /** Stops charging if the server obviously does not, such as a proxy's unlimited client. */
  const doubt = (present: ChargeLimits, warned: boolean) => {
    const mustWarn = sum >= sumAt(present.warning * surelyWarned);
    if (warned || !mustWarn || everRefused) unwarnedSince = null;
    else unwarnedSince ??= now();
    if (unwarnedSince !== null && now() - unwarnedSince >= unwarnedMs) limits = null;
  };

  let server: ChargeLimits | null = null;
  return {
    open(next) {
      server = next;
      limits = next;
      unwarnedSince = null;
      if (next !== null) sum = Math.min(sum, sumAt(next.drop) + next.perDrop);
    },
    async turn(command, abandoned) {
      if (command !== 'submit') return passWithRoom(command, mostByAll, abandoned);
      if (line === null && untilRoom(submissionCharge, mostBySubmissions) === 0) {
        sum += submissionCharge;
        return;
      }
      await lineUp(command, abandoned);
    },
    answered({ warned, isError }) {
      if (warned) limits ??= server ?? presentLimits;
      if (limits === null) return;
      age();
      chargeWarning(limits, warned);
      if (!isError) doubt(limits, warned);
    },
    refused(how) {
      everRefused = true;
      limits ??= server ?? presentLimits;
      if (now() - reducedAt < settleMs) return;
      age();
      reducedAt = now();
      const dropped = sumAt(limits.drop);
      sum = how === 'dropped' ? dropped + limits.perDrop : Math.min(sum, dropped);
      share = Math.max(leastShare, Math.min(share, sum / dropped) * shareAfterRefusal);
    },
    waitMs: () => untilRoom(submissionCharge * (waiting + 1), mostBySubmissions),
    submissionsWithin(ms) {
      if (limits === null) return Number.POSITIVE_INFINITY;
      age();
      const limit = mostBySubmissions();
      const isWarned = limit >= sumAt(limits.warning);
      const others = readingPerSecond + (isWarned ? limits.perWarning : 0);
      const charge = limit - sum + (limit * decay - others) * (ms / 1_000);
      return Math.max(0, Math.floor(charge / submissionCharge));
    },
  };
}

async function wait(ms: number, abandoned: AbortSignal): Promise<void> {
  let stop = () => {};
  let timer: NodeJS.Timeout | undefined;
  const cut = await new Promise<boolean>((resolve) => {
    stop = () => resolve(true);
    abandoned.addEventListener('abort', stop, { once: true });
    timer = setTimeout(() => resolve(abandoned.aborted), abandoned.aborted ? 0 : ms);
  });
  clearTimeout(timer);
  abandoned.removeEventListener('abort', stop);
  if (cut)
    throw new LedgerUnavailable('the connection was closed before the transaction was submitted');
}
