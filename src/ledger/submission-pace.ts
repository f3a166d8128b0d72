import { LedgerUnavailable } from './ledger-unavailable.ts';

/** What a server says of the load that we are to it. */
export type Complaint = 'warned' | 'refused';

/**
 * How fast submissions are handed to one server. A server that never complains gets them as they
 * come. rippled charges 400 for each, counts by the second over half a minute, adds `warning: load`
 * to its answers from 5,000 on and drops the client at 25,000 (its Resource::Fees; xrpl.org, Rate
 * Limiting): a burst passes, about 60 a second do for good. What is bearable is found by halving at
 * complaints and growing slowly without them.
 */
export interface SubmissionPace {
  /** Submissions per second that the server bears as far as is known; Infinity without complaint. */
  perSecond(): number;
  /** Milliseconds until a submission that comes now may go out. */
  waitMs(): number;
  /** Resolves when it may go out. Rejects with `LedgerUnavailable` when `abandoned` is aborted. */
  turn(abandoned: AbortSignal): Promise<void>;
  heard(complaint: Complaint): void;
}

/** Half as fast at most once in this time: complaints about one burst come in bursts. */
const settleMs = 1_000;
/** A warning comes at a fifth of what is borne, so it does not press lower than this. */
const leastAfterWarning = 40;
const leastPerSecond = 20;
const growthPerSecond = 1.05;
/** Beyond this there is nothing to pace. */
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
        // Cut off while it waits, it was not handed over.
        if (ms > 0) await wait(ms, abandoned);
      }
      sent.count();
    },
    heard(complaint) {
      const at = now();
      if (limitedAt > 0 && at - limitedAt < settleMs) return;
      const least = complaint === 'warned' ? leastAfterWarning : leastPerSecond;
      const borne = Math.min(perSecond(), Math.max(sent.perSecond(), least));
      limit = Math.min(perSecond(), Math.max(borne / 2, least));
      limitedAt = at;
      nextAt = Math.max(nextAt, at);
    },
  };
}

/** Counts what goes out, by the second: the fuller of this second and the one before it. */
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
    throw new LedgerUnavailable('the connection was given up before the submission went out');
}
