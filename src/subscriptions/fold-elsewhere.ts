import type { Kysely } from 'kysely';
import type { StoreTables } from '../event-store/database.ts';
import type { LogReader } from '../event-store/event-store.ts';
import type { LogFolder } from './projection.ts';
import { type FoldNext, projectNext } from './projector.ts';

const stretch = 1_000;

/**
 * Calls `elsewhere`, such as on another thread, to fold a stretch of the log that holds events of
 * the projection. A stretch without such events is skipped on this thread.
 */
export function foldElsewhere(
  { db, store }: { readonly db: Kysely<StoreTables>; readonly store: LogReader },
  projection: LogFolder,
  elsewhere: () => Promise<number | null>,
): FoldNext {
  const types: ReadonlySet<string> = new Set(projection.types);
  return async (reached) => {
    const headers = await store.readHeaders(Math.max(0, reached), stretch);
    if (headers.some(({ type }) => types.has(type))) return elsewhere();
    return projectNext(db, store, projection, headers.at(-1)?.position ?? reached);
  };
}
