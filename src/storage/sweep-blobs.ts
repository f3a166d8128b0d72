import { type BlobKey, organisationOfBlob } from '../domain/blob/blob-key.ts';
import { isOrphanAge, orphanAfterMs } from '../domain/blob/orphan.ts';
import type { BlobStorage } from './contract.ts';

const batchSize = 500;

/** Filters the keys named by an event. An event that names a blob is never removed. */
export type NamedKeys = (keys: readonly BlobKey[]) => Promise<ReadonlySet<BlobKey>>;

export interface Swept {
  readonly seen: number;
  /** Blobs that no event named, or whose organisation was erased. */
  readonly deleted: number;
  readonly halfSent: number;
}

/**
 * Deletes blobs older than 24 h that no event names, all blobs of erased organisations, and
 * half-sent blobs. The sweep never races an upload: a key is used once, and an event may name
 * it only while it is young (see `checkNameable`). So a blob of that age without an event never
 * gets one. May be stopped at any moment, repeated, and run by several processes at once. `named`
 * must know every event older than an hour, so it asks the event store, or a projection that lags
 * less.
 */
export async function sweepBlobs(
  storage: BlobStorage,
  named: NamedKeys,
  now: () => Date,
): Promise<Swept> {
  const halfSent = await storage.sweepHalfSent(new Date(now().getTime() - orphanAfterMs));
  const erased = await storage.erasures();
  let seen = 0;
  let deleted = 0;
  let batch: BlobKey[] = [];
  const sweepBatch = async () => {
    const kept = await named(batch);
    for (const key of batch) {
      if (kept.has(key)) continue;
      await storage.delete(key);
      deleted += 1;
    }
    batch = [];
  };
  for await (const { key, storedAt } of storage.list()) {
    seen += 1;
    if (erased.has(organisationOfBlob(key))) {
      await storage.delete(key);
      deleted += 1;
    } else if (isOrphanAge(key, storedAt, now())) batch.push(key);
    if (batch.length >= batchSize) await sweepBatch();
  }
  if (batch.length > 0) await sweepBatch();
  return { seen, deleted, halfSent };
}
