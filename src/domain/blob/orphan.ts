import type { BlobKey } from './blob-key.ts';

const hourMs = 60 * 60 * 1_000;

/** An event may name a blob for the first time only while the blob is younger than this. */
const nameableForMs = hourMs;

/** A blob that no event names is swept once it is older than this. */
export const orphanAfterMs = 24 * hourMs;

/** The blob is too old for an append to name it. The upload must be repeated. */
export class BlobTooOld extends Error {
  constructor(key: BlobKey) {
    super(`blob ${key} is older than an hour and no event names it: the sweep may delete it`);
    this.name = 'BlobTooOld';
  }
}

/**
 * Call right before the append of an event that names a new blob. With `isOrphanAge` it keeps the
 * sweep from deleting a blob that an append is about to name. The two limits are 23 hours apart:
 * enough for the append and for clocks that differ.
 */
export function checkNameable(key: BlobKey, now: Date): void {
  if (now.getTime() - madeAtMs(key) > nameableForMs) throw new BlobTooOld(key);
}

/** True if a blob is old enough for the sweep, both by its key's time and by the storage's. */
export function isOrphanAge(key: BlobKey, storedAt: Date, now: Date): boolean {
  return now.getTime() - Math.max(madeAtMs(key), storedAt.getTime()) > orphanAfterMs;
}

const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** Time in the key's ULID, in ms: its first 10 characters are milliseconds in base 32. */
function madeAtMs(key: BlobKey): number {
  const time = key.slice(key.indexOf('/') + 1).slice(0, 10);
  return [...time].reduce((ms, character) => ms * 32 + alphabet.indexOf(character), 0);
}
