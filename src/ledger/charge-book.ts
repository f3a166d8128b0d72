import { Withdrawn } from './ledger-unavailable.ts';
import {
  type ChargeLimits,
  chargeOf,
  chargeWindowSeconds,
  presentLimits,
  submissionCharge,
} from './request-charge.ts';
import { waitUnlessAbandoned } from './wait-unless-abandoned.ts';

/**
 * Our own account of what a server charges us, so that requests wait before it drops us. rippled
 * adds the charge of each request to a sum, takes 1/32 of the sum off each second, and drops the
 * client when 1/32 of the sum, the balance, reaches a limit. All connections from one address share
 * it. rippled keeps the sum when they end, and never shows it. So the account has a second part:
 * charges that others made from our address, such as this service before a restart. They are
 * assumed.
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
/**
 * Part of the warning below which our own charges do not explain a warning. Our sum is an estimate.
 */
const explainedFrom = 0.7;
/**
 * A process without submissions of its own counts charges of others as not decayed for this time after
 * a warning: the others get most warnings.
 */
const othersHeldMs = 30_000;
const idleMs = 10_000;
/** Part of the limit from which requests go in windows. */
const windowsFrom = 0.8;
/** Length of a window. Ledgers are read one after the other, so other requests have more time. */
const windowMs = { submissions: 400, others: 1_000 } as const;
/** Time from the start of a window to the next. */
const windowEveryMs = 6_000;
const windowSeconds = windowEveryMs / 1_000;
/** Charge per second for reading ledgers and fees, for estimates. */
const readingPerSecond = 60;
/**
 * A server that warns us in none of this number of seconds, at this part above its warning, does not
 * charge us.
 */
const unwarnedSeconds = 4;
const surelyWarned = 1.1;
/** Part of the limit that submissions may use: after a refusal, at least, and regained. */
const shareAfterRefusal = 0.7;
const leastShare = 0.2;
const shareRegainedPerMinute = 0.01;
/** Minimum time between two reductions: one burst causes several refusals. */
const settleMs = 10_000;

/**
 * `now` is in milliseconds. `wait` rejects with `LedgerUnavailable` when its signal aborts.
 * `ownPart` is the part of the limit that our own charges may reach; other processes at our address
 * use the rest.
 */
export function createChargeBook(
  now: () => number = () => performance.now(),
  wait: (ms: number, abandoned: AbortSignal) => Promise<void> = waitUnlessAbandoned,
  ownPart = 1,
): ChargeBook {
  let limits: ChargeLimits | null = null;
  let everRefused = false;
  let sum = 0;
  /** Charges of others from our address, as assumed. */
  let foreign = 0;
  let agedAt = now();
  let share = 1;
  let reducedAt = Number.NEGATIVE_INFINITY;
  let warnedIn = 0;
  let everWarned = false;
  const unwarnedIn = new Set<number>();
  let submittedAt = Number.NEGATIVE_INFINITY;
  let othersSeenAt = Number.NEGATIVE_INFINITY;
  let windowAt = Number.NEGATIVE_INFINITY;
  let waiting = 0;
  let line: Promise<unknown> | null = null;

  /** Steps of the decay within a time without requests, as expected. */
  const stepsIn = (seconds: number) => seconds - lostPerSecond * Math.min(1, seconds);
  const secondsSince = (at: number) => Math.max(0, now() - at) / 1_000;
  const leftNow = () => Math.exp(-decay * stepsIn(secondsSince(agedAt)));
  const isIdle = () => waiting === 0 && now() - submittedAt > idleMs;
  const isHeld = () => isIdle() && now() - othersSeenAt < othersHeldMs;
  const foreignNow = () => {
    const left = foreign * leftNow();
    // What a refusal added beyond our own limit decays also while others are at work.
    return isHeld() ? Math.max(left, Math.min(foreign, submissions.most())) : left;
  };
  /** Settles the decay before a request or its answer. */
  const age = () => {
    foreign = foreignNow();
    sum *= leftNow();
    agedAt = now();
  };
  const shareNow = () =>
    Math.min(1, share + (secondsSince(reducedAt) / 60) * shareRegainedPerMinute);
  const sumAt = (balance: number) => balance * chargeWindowSeconds;
  const submissions: Kind = {
    most: () => sumAt((limits?.drop ?? 0) * usedBySubmissions * shareNow()),
    windowMs: windowMs.submissions,
    countsOthers: () => true,
  };
  const others: Kind = {
    most: () => sumAt((limits?.drop ?? 0) * usedByAll),
    windowMs: windowMs.others,
    // The process that submits leaves room for the few charges of one that only reads.
    countsOthers: () => !isHeld(),
  };

  /** Milliseconds until this part of the account has decayed to the wanted one. */
  const untilDecayed = (part: number, wanted: number): number => {
    const passed = secondsSince(agedAt);
    const steps = Math.log(Math.max(part, 1) / Math.max(wanted, 1)) / decay;
    // Inverse of `stepsIn`.
    const early = steps / (1 - lostPerSecond);
    const seconds = early <= 1 ? early : steps + lostPerSecond;
    return Math.max(0, seconds - passed) * 1_000;
  };

  /** Milliseconds until the next window, if requests go in windows; 0 within one. */
  const untilWindow = ({ countsOthers, windowMs: lengthMs }: Kind): number => {
    const sinceStart = now() - windowAt;
    if (limits === null || sinceStart < lengthMs) return 0;
    const from = sumAt(limits.drop * windowsFrom);
    const own = sum * leftNow();
    const ofOthers = countsOthers() ? foreignNow() : 0;
    if (own < from * ownPart && own + ofOthers < from) return 0;
    return Math.max(0, windowEveryMs - sinceStart);
  };

  /** Milliseconds until a request of this kind may go. */
  const untilRoom = (charge: number, kind: Kind): number => {
    if (limits === null) return 0;
    const most = kind.most();
    const ofOurs = untilDecayed(sum, most * ownPart - charge);
    const ofAll = kind.countsOthers() ? untilDecayed(sum + foreign, most - charge) : 0;
    return Math.max(ofOurs, ofAll, untilWindow(kind));
  };

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
    const known = isIdle() ? sum : sum + foreign;
    if (known >= sumAt(present.warning * explainedFrom)) {
      assume(sumAt(present.warning));
      sum += present.perWarning;
      return;
    }
    // Not above our own limit, which is lower after a refusal: else there would never be room.
    assume(submissions.most());
    othersSeenAt = now();
  };

  /** Assumes that the whole account has reached this sum. */
  const assume = (total: number) => {
    foreign = Math.max(foreign, total - sum);
  };

  /** Stops charging if the server obviously does not, such as a proxy's unlimited client. */
  const doubt = (present: ChargeLimits, warned: boolean) => {
    const mustWarn = sum >= sumAt(present.warning * surelyWarned);
    if (warned) everWarned = true;
    if (everWarned || everRefused || !mustWarn) unwarnedIn.clear();
    else unwarnedIn.add(Math.floor(now() / 1_000));
    if (unwarnedIn.size >= unwarnedSeconds) limits = null;
  };

  let server: ChargeLimits | null = null;
  return {
    open(next) {
      age();
      if (server === null && next !== null) {
        // Without a warning in the first answers, the sum was below the warning.
        const reached = foreign > 0 ? next.drop * usedBySubmissions * shareNow() : next.warning;
        foreign = 0;
        assume(sumAt(reached));
      }
      server = next;
      limits = next;
      if (next === null) everWarned = false;
      unwarnedIn.clear();
      const most = next === null ? 0 : sumAt(next.drop) + next.perDrop;
      sum = Math.min(sum, most);
      foreign = Math.min(foreign, most - sum);
    },
    async turn(command, abandoned, isWanted = () => true) {
      if (command !== 'submit') return passWithRoom(command, others, abandoned, isWanted);
      if (isHeld()) age();
      submittedAt = now();
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
      sum = Math.min(sum, dropped);
      foreign = Math.min(foreign, dropped - sum);
      if (how === 'dropped') assume(dropped + limits.perDrop);
      const used = (sum + foreign) / dropped;
      share = Math.max(leastShare, Math.min(present, used) * shareAfterRefusal);
    },
    submissionsWaiting: () => waiting,
    waitMs: () => untilRoom(submissionCharge * (waiting + 1), submissions),
    submissionsWithin(ms) {
      if (limits === null) return Number.POSITIVE_INFINITY;
      const most = submissions.most();
      const limit = most * ownPart;
      const isWarned = limit >= sumAt(limits.warning);
      const besides = readingPerSecond * windowSeconds + (isWarned ? limits.perWarning : 0);
      // At the limit a window brings the sum back to it.
      const regained = limit * (1 - Math.exp(-decay * stepsIn(windowSeconds))) - besides;
      const own = sum * leftNow();
      const room = Math.min(limit - own, most - own - foreignNow());
      const charge = room + regained * (ms / windowEveryMs);
      return Math.max(0, Math.floor(charge / submissionCharge));
    },
  };
}

/** Submissions, or all other requests. */
interface Kind {
  /** Largest sum that they may lead to. */
  readonly most: () => number;
  readonly windowMs: number;
  /** True if assumed charges of others take room from them. */
  readonly countsOthers: () => boolean;
}
