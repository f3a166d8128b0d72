import { ChargedSum, partLeftAfter } from './charged-sum.ts';
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
 * between them. The windows follow Unix time: those of all processes coincide, and the pauses too.
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
/** Time from the start of a window to the next. Windows start at multiples of it in Unix time. */
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

const monotonicNow = () => performance.now();

/**
 * `now` and `unixNow` are in milliseconds. `wait` rejects with `LedgerUnavailable` when its signal
 * aborts. `ownPart` is the part of the limit that our own charges may reach; other processes at our
 * address use the rest.
 */
export function createChargeBook(
  now: () => number = monotonicNow,
  wait: (ms: number, abandoned: AbortSignal) => Promise<void> = waitUnlessAbandoned,
  ownPart = 1,
  unixNow: () => number = now === monotonicNow ? Date.now : now,
): ChargeBook {
  let limits: ChargeLimits | null = null;
  let everRefused = false;
  let share = 1;
  let reducedAt = Number.NEGATIVE_INFINITY;
  let warnedIn = Number.NEGATIVE_INFINITY;
  let everWarned = false;
  const unwarnedIn = new Set<number>();
  let submittedAt = Number.NEGATIVE_INFINITY;
  let othersSeenAt = Number.NEGATIVE_INFINITY;
  let openedAt = now();
  let waiting = 0;
  let line: Promise<unknown> | null = null;

  const isIdle = () => waiting === 0 && now() - submittedAt > idleMs;
  const isHeld = () => isIdle() && now() - othersSeenAt < othersHeldMs;
  // Beyond our own limit, as after a refusal, it decays also while others are at work.
  const sum = new ChargedSum(now, () => (isHeld() ? submissions.most() : 0));
  const shareNow = () =>
    Math.min(1, share + ((now() - reducedAt) / 60_000) * shareRegainedPerMinute);
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

  /** Milliseconds until the next window, if requests go in windows; 0 within one. */
  const untilWindow = ({ windowMs: lengthMs }: Kind): number => {
    const sinceStart = unixNow() % windowEveryMs;
    // The first requests of a process, and those after connecting, do not wait for a window.
    const isWithin = sinceStart < lengthMs || now() - openedAt < lengthMs;
    if (limits === null || isWithin) return 0;
    const from = sumAt(limits.drop * windowsFrom);
    const { own, total } = sum;
    if (own < from * ownPart && total < from) return 0;
    return windowEveryMs - sinceStart;
  };

  /** Milliseconds until a request of this kind may go. */
  const untilRoom = (charge: number, kind: Kind): number => {
    if (limits === null) return 0;
    const most = kind.most();
    const ofOurs = sum.untilOwn(most * ownPart - charge);
    const ofAll = kind.countsOthers() ? sum.untilTotal(most - charge) : 0;
    return Math.max(ofOurs, ofAll, untilWindow(kind));
  };

  const charged = (charge: number) => {
    sum.age();
    sum.charge(charge);
  };

  const passWithRoom = async (
    command: string,
    kind: Kind,
    abandoned: AbortSignal,
    isWanted: () => boolean,
  ) => {
    const charge = chargeOf(command);
    for (;;) {
      if (!isWanted()) throw new Withdrawn();
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
    const isDue = warned || sum.own >= sumAt(present.warning);
    if (!isDue || second === warnedIn) return;
    warnedIn = second;
    const known = isIdle() ? sum.own : sum.total;
    if (known >= sumAt(present.warning * explainedFrom)) {
      sum.assume(sumAt(present.warning));
      sum.charge(present.perWarning);
      return;
    }
    // Not above our own limit, which is lower after a refusal: else there would never be room.
    sum.assume(submissions.most());
    othersSeenAt = now();
  };

  /** Stops charging if the server obviously does not, such as a proxy's unlimited client. */
  const doubt = (present: ChargeLimits, warned: boolean) => {
    const mustWarn = sum.own >= sumAt(present.warning * surelyWarned);
    if (warned) everWarned = true;
    // Other processes at our address may get all warnings.
    const isAlone = ownPart === 1;
    if (!isAlone || everWarned || everRefused || !mustWarn) unwarnedIn.clear();
    else unwarnedIn.add(Math.floor(now() / 1_000));
    if (unwarnedIn.size >= unwarnedSeconds) limits = null;
  };

  let server: ChargeLimits | null = null;
  return {
    open(next) {
      sum.age();
      openedAt = now();
      if (server === null && next !== null) {
        // Without a warning in the first answers, the sum was below the warning.
        const wasWarned = sum.others > 0;
        sum.forgetOthers();
        sum.assume(sumAt(wasWarned ? next.drop * usedBySubmissions * shareNow() : next.warning));
      }
      server = next;
      limits = next;
      if (next === null) everWarned = false;
      unwarnedIn.clear();
      sum.limitTo(next === null ? 0 : sumAt(next.drop) + next.perDrop);
    },
    async turn(command, abandoned, isWanted = () => true) {
      if (command !== 'submit') return passWithRoom(command, others, abandoned, isWanted);
      if (isHeld()) sum.age();
      submittedAt = now();
      if (line !== null) return lineUp(command, abandoned, isWanted);
      if (untilRoom(submissionCharge, submissions) > 0) return lineUp(command, abandoned, isWanted);
      return passWithRoom(command, submissions, abandoned, isWanted);
    },
    answered({ warned, isError }) {
      if (warned) limits ??= server ?? presentLimits;
      if (limits === null) return;
      sum.age();
      chargeWarning(limits, warned);
      if (!isError) doubt(limits, warned);
    },
    refused(how) {
      everRefused = true;
      limits ??= server ?? presentLimits;
      if (now() - reducedAt < settleMs) return;
      sum.age();
      const present = shareNow();
      reducedAt = now();
      const dropped = sumAt(limits.drop);
      sum.limitTo(dropped);
      if (how === 'dropped') sum.assume(dropped + limits.perDrop);
      const used = sum.total / dropped;
      share = Math.max(leastShare, Math.min(present, used) * shareAfterRefusal);
    },
    submissionsWaiting: () => waiting,
    waitMs: () => untilRoom(submissionCharge * (waiting + 1), submissions),
    submissionsWithin(ms) {
      if (limits === null) return Number.POSITIVE_INFINITY;
      const most = submissions.most();
      const limit = most * ownPart;
      // Others at our address bring the sum above the warning.
      const isWarned = ownPart < 1 || limit >= sumAt(limits.warning);
      const besides = readingPerSecond * windowSeconds + (isWarned ? limits.perWarning : 0);
      // At the limit a window brings the sum back to it.
      const regained = limit * (1 - partLeftAfter(windowSeconds)) - besides;
      const room = Math.min(limit - sum.own, most - sum.total);
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
