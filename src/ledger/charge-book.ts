import { LedgerUnavailable, Withdrawn } from './ledger-unavailable.ts';
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
 * client when 1/32 of the sum, the balance, reaches a limit. All connections from one address share
 * it.
 *
 * rippled loses about every second of these steps while requests come in each second: its clock
 * ticks a little later or earlier after each full second, and it cuts off fractions. A pause of
 * several seconds loses only one. So near the limit all requests go in short windows, with a pause
 * between them.
 */
export interface ChargeBook {
  /** Sets the limits of the server that was connected; null if it does not charge us. */
  open(limits: ChargeLimits | null): void;
  /**
   * Resolves when the request may go, which is then charged. Submissions go in the order of the
   * calls, and leave room for other requests. Rejects with `LedgerUnavailable` when `abandoned`
   * aborts, and with `Withdrawn` if `isWanted` returns false when the request could go.
   */
  turn(command: string, abandoned: AbortSignal, isWanted?: () => boolean): Promise<void>;
  /** Notes an answer; `warned` if it carries `warning: load`. */
  answered(answer: { readonly warned: boolean; readonly isError: boolean }): void;
  /**
   * Notes that the server refused us for our load: `dropped` by closing the connection, `slowDown`
   * by an answer. Somebody else may share our address, so we use less of the limit for a while.
   */
  refused(how: 'dropped' | 'slowDown'): void;
  /** Milliseconds until a submission made now may go. */
  waitMs(): number;
  /** Number of submissions that wait for their turn. */
  submissionsWaiting(): number;
  /**
   * Number of submissions that go within this time, including those that wait already; Infinity if
   * they cost nothing.
   */
  submissionsWithin(ms: number): number;
}

/** Exponent of one step of the decay. */
const decay = Math.log(chargeWindowSeconds / (chargeWindowSeconds - 1));
/** Steps that are lost in each second with requests, at most one for each request. */
const lostPerSecond = 0.6;
/**
 * Parts of the server's limit that we use. The rest is for steps of the decay that are lost by
 * chance.
 */
const usedBySubmissions = 0.85;
const usedByAll = 0.88;
/** Part of the limit from which requests go in windows. */
const windowsFrom = 0.8;
/** Length of a window. Ledgers are read one after the other, so other requests have more time. */
const windowMs = { submissions: 400, others: 1_000 } as const;
/** Time from the start of a window to the next. */
const windowEveryMs = 6_000;
const windowSeconds = windowEveryMs / 1_000;
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

/** `now` is in milliseconds. `wait` rejects with `LedgerUnavailable` when its signal aborts. */
export function createChargeBook(
  now: () => number = () => performance.now(),
  wait: (ms: number, abandoned: AbortSignal) => Promise<void> = waitUnlessAbandoned,
): ChargeBook {
  let limits: ChargeLimits | null = null;
  let everRefused = false;
  let sum = 0;
  let agedAt = now();
  let share = 1;
  let reducedAt = Number.NEGATIVE_INFINITY;
  let warnedIn = 0;
  let unwarnedSince: number | null = null;
  let windowAt = Number.NEGATIVE_INFINITY;
  let waiting = 0;
  let line: Promise<unknown> | null = null;

  /** Steps of the decay within a time without requests, as expected. */
  const stepsIn = (seconds: number) => seconds - lostPerSecond * Math.min(1, seconds);
  const secondsSince = (at: number) => Math.max(0, now() - at) / 1_000;
  const sumNow = () => sum * Math.exp(-decay * stepsIn(secondsSince(agedAt)));
  /** Settles the decay before a request or its answer. */
  const age = () => {
    sum = sumNow();
    agedAt = now();
  };
  const shareNow = () =>
    Math.min(1, share + (secondsSince(reducedAt) / 60) * shareRegainedPerMinute);
  const sumAt = (balance: number) => balance * chargeWindowSeconds;
  const submissions: Kind = {
    most: () => sumAt((limits?.drop ?? 0) * usedBySubmissions * shareNow()),
    windowMs: windowMs.submissions,
  };
  const others: Kind = {
    most: () => sumAt((limits?.drop ?? 0) * usedByAll),
    windowMs: windowMs.others,
  };

  /** Milliseconds until the sum has decayed to this. */
  const untilSum = (wanted: number): number => {
    const passed = secondsSince(agedAt);
    const steps = Math.log(Math.max(sum, 1) / Math.max(wanted, 1)) / decay;
    // Inverse of `stepsIn`.
    const early = steps / (1 - lostPerSecond);
    const seconds = early <= 1 ? early : steps + lostPerSecond;
    return Math.max(0, seconds - passed) * 1_000;
  };

  /** Milliseconds until the next window, if requests go in windows; 0 within one. */
  const untilWindow = (lengthMs: number): number => {
    const sinceStart = now() - windowAt;
    if (limits === null || sinceStart < lengthMs) return 0;
    if (sumNow() < sumAt(limits.drop * windowsFrom)) return 0;
    return Math.max(0, windowEveryMs - sinceStart);
  };

  /** Milliseconds until a request of this kind may go. */
  const untilRoom = (charge: number, { most, windowMs }: Kind): number =>
    limits === null ? 0 : Math.max(untilSum(most() - charge), untilWindow(windowMs));

  const charged = (charge: number) => {
    age();
    sum += charge;
    if (now() - windowAt >= windowEveryMs) windowAt = now();
  };

  const passWithRoom = async (
    command: string,
    kind: Kind,
    abandoned: AbortSignal,
    isWanted: () => boolean,
  ) => {
    const charge = chargeOf(command);
    for (;;) {
      if (!isWanted()) throw new Withdrawn('the transaction was not submitted: it waited too long');
      const ms = untilRoom(charge, kind);
      if (ms === 0) break;
      await wait(Math.ceil(ms), abandoned);
    }
    charged(charge);
  };

  const lineUp = async (command: string, abandoned: AbortSignal, isWanted: () => boolean) => {
    waiting += 1;
    const before = line ?? Promise.resolve();
    const passed = before.then(() => passWithRoom(command, submissions, abandoned, isWanted));
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
      sum = next === null ? 0 : Math.min(sum, sumAt(next.drop) + next.perDrop);
    },
    async turn(command, abandoned, isWanted = () => true) {
      if (command !== 'submit') return passWithRoom(command, others, abandoned, isWanted);
      if (line !== null) return lineUp(command, abandoned, isWanted);
      if (untilRoom(submissionCharge, submissions) > 0) return lineUp(command, abandoned, isWanted);
      return passWithRoom(command, submissions, abandoned, isWanted);
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
      const present = shareNow();
      reducedAt = now();
      const dropped = sumAt(limits.drop);
      sum = how === 'dropped' ? dropped + limits.perDrop : Math.min(sum, dropped);
      share = Math.max(leastShare, Math.min(present, sum / dropped) * shareAfterRefusal);
    },
    submissionsWaiting: () => waiting,
    waitMs: () => untilRoom(submissionCharge * (waiting + 1), submissions),
    submissionsWithin(ms) {
      if (limits === null) return Number.POSITIVE_INFINITY;
      const limit = submissions.most();
      const isWarned = limit >= sumAt(limits.warning);
      const besides = readingPerSecond * windowSeconds + (isWarned ? limits.perWarning : 0);
      // At the limit a window brings the sum back to it.
      const regained = limit * (1 - Math.exp(-decay * stepsIn(windowSeconds))) - besides;
      const charge = limit - sumNow() + regained * (ms / windowEveryMs);
      return Math.max(0, Math.floor(charge / submissionCharge));
    },
  };
}

/** Submissions, or all other requests. */
interface Kind {
  /** Largest sum that they may lead to. */
  readonly most: () => number;
  readonly windowMs: number;
}

async function waitUnlessAbandoned(ms: number, abandoned: AbortSignal): Promise<void> {
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
