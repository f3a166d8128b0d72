import type { Kysely } from 'kysely';
import type { DomainEvent } from '../domain/events.ts';
import type { StoreTables } from '../event-store/database.ts';
import type { LogReader } from '../event-store/event-store.ts';
import type { LogFolder } from './projection.ts';
import { type FoldNext, projectNext } from './projector.ts';

/** Data that is decoded and folded within milliseconds, of one event or of several. */
export const smallEventBytes = 32_768;

const stretch = 1_000;

/**
 * Calls `elsewhere`, such as on another thread, to fold a stretch of the log whose events of
 * `largeTypes` have more than `smallEventBytes` together. Other stretches are folded on this
 * thread: they need not wait until the other one has started.
 */
export function foldElsewhere(
  { db, store }: { readonly db: Kysely<StoreTables>; readonly store: LogReader },
  projection: LogFolder,
  largeTypes: readonly DomainEvent['type'][],
  elsewhere: () => Promise<number | null>,
): FoldNext {
  const types: ReadonlySet<string> = new Set(largeTypes);
  return async (reached) => {
    const headers = await store.readHeaders(Math.max(0, reached), stretch);
    const large = headers.filter(({ type }) => types.has(type));
    const total = large.reduce((sum, { bytes }) => sum + bytes, 0);
    if (total > smallEventBytes) return elsewhere();
    return projectNext(db, store, projection, headers.at(-1)?.position ?? reached);
  };
}
