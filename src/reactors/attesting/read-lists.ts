import { exhaustMap, filter, from, merge, type Observable, tap, timer } from 'rxjs';
import { type PublishDeps, publishLists } from './publish-validators.ts';

/** Address of a published list, and master key of its publisher in upper-case hex. */
export interface ValidatorListSource {
  readonly url: string;
  readonly publisherKey: string;
}

/**
 * The published list at a URL, unverified. Rejects if it cannot be read, and at once when `stopped`
 * aborts.
 */
export type FetchList = (url: string, stopped: AbortSignal) => Promise<unknown>;

interface ReadOptions {
  readonly publishing: PublishDeps;
  readonly fetchList: FetchList;
  /** Aborts when the reactor is stopped. */
  readonly stopped: AbortSignal;
  /** Time between two requests of a list. */
  readonly everyMs?: number | undefined;
  /** Registers work that must end before the reactor is stopped. */
  readonly track: (work: Promise<void>) => Promise<void>;
  /** Called when a list was read and its news recorded. */
  readonly onRead: () => void;
  /** Called when a list cannot be read or verified, once until it can. */
  readonly onTrouble: (url: string, error: unknown) => void;
}

const defaultEveryMs = 300_000;
/** A list that could not be read is requested again sooner. */
const retryMs = 20_000;
/** Tolerance of timers: a request is never put off to the next tick. */
const earlyMs = 100;

/** Requests every list on a schedule while it is subscribed to, and records every new sequence. */
export function readLists(
  sources: readonly ValidatorListSource[],
  options: ReadOptions,
): Observable<void> {
  const { publishing, fetchList, everyMs = defaultEveryMs, track, stopped } = options;
  const troubles = new Set<string>();
  const read = async ({ url, publisherKey }: ValidatorListSource) => {
    try {
      await publishLists(publishing, publisherKey, await fetchList(url, stopped));
      troubles.delete(url);
      options.onRead();
    } catch (error) {
      if (!troubles.has(url) && !stopped.aborted) options.onTrouble(url, error);
      troubles.add(url);
    }
  };
  const reading = sources.map((source) => {
    let nextAt = 0;
    return timer(0, Math.min(everyMs, retryMs)).pipe(
      filter(() => performance.now() >= nextAt),
      exhaustMap(() => from(track(read(source)))),
      tap(() => {
        nextAt = troubles.has(source.url) ? 0 : performance.now() + everyMs - earlyMs;
      }),
    );
  });
  return merge(...reading);
}
