import { LedgerUnavailable } from './ledger-unavailable.ts';

/** A server's complaint about our load. */
type Complaint = 'warned' | 'refused';

/**
 * Pace of submissions to one server; unlimited until the server complains. rippled charges 400 for
 * each submission and averages the charges per second over half a minute. rippled adds `warning:
 * load` to its answers from 5,000 on and drops the client at 25,000 (its Resource::Fees; xrpl.org,
 * Rate Limiting). So a burst passes, and about 60 a second are sustainable. The pace halves at each
 * complaint and grows slowly without complaints.
 */
export interface SubmissionPace {
  /** Submissions per second that the server is known to accept; Infinity without complaints. */
  perSecond(): number;
  /** Milliseconds until a submission made now may be sent. */
  waitMs(): number;
  /**
   * Resolves when a submission may go. Rejects with `LedgerUnavailable` when `abandoned` aborts.
   */
  turn(abandoned: AbortSignal): Promise<void>;
  /** Slows the pace down after a complaint of the server. */
  slowDown(complaint: Complaint): void;
}

/** Minimum time between two halvings: one burst causes several complaints. */
const settleMs = 1_000;
/** Warnings begin at a fifth of the limit, so a warning does not reduce the pace below this. */
const leastAfterWarning = 40;
const leastPerSecond = 20;
const growthPerSecond = 1.05;
/** From this pace on, pacing ends. */
const unlimitedFrom = 5_000;

export function createSubmissionPace(now: () => number = () => performance.now()): SubmissionPace {
  let limit = Number.POSITIVE_INFINITY;
  let limitedAt = 0;
  let nextAt = 0;
  const sent = createRateMeter(now);

  const perSecond = (): number => {
    if (limit === Number.POSITIVE_INFINITY) return limit;
    const grown = limit * growthPerSecond ** ((now() - limitedAt) / 1_000);
    if (grown < unlimitedFrom) return grown;
    limit = Number.POSITIVE_INFINITY;
    return limit;
  };

  const waitMs = () => (perSecond() === Number.POSITIVE_INFINITY ? 0 : Math.max(0, nextAt - now()));

  return {
    perSecond,
    waitMs,
    async turn(abandoned) {
      const pace = perSecond();
      const at = Math.max(now(), nextAt);
      if (pace !== Number.POSITIVE_INFINITY) {
        nextAt = at + 1_000 / pace;
        const ms = at - now();
        // Abandoned while it waited, the submission was not sent.
        if (ms > 0) await wait(ms, abandoned);
      }
      sent.count();
    },
    slowDown(complaint) {
      const at = now();
      if (limitedAt > 0 && at - limitedAt < settleMs) return;
      const least = complaint === 'warned' ? leastAfterWarning : leastPerSecond;
      const sustained = Math.min(perSecond(), Math.max(sent.perSecond(), least));
      limit = Math.min(perSecond(), Math.max(sustained / 2, least));
      limitedAt = at;
      nextAt = Math.max(nextAt, at);
    },
  };
}

/** Submissions per second: the larger count of the present and the previous second. */
function createRateMeter(now: () => number) {
  let second = 0;
  let [before, current] = [0, 0];
  const advance = () => {
    const next = Math.floor(now() / 1_000);
    if (next === second) return;
    before = next === second + 1 ? current : 0;
    current = 0;
    second = next;
  };
  return {
    count() {
      advance();
      current += 1;
    },
    perSecond() {
      advance();
      return Math.max(before, current);
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
