import type { IssuerKey } from '../../domain/issuer/decider.ts';
import { inTime } from '../in-time.ts';
import type { AnchoringAccount } from '../quickstart/quickstart-schema.ts';

/** Facts by which people recognise this service: its accounts, and the keys of its log and issuer. */
export interface PublicFacts {
  readonly accounts: readonly AnchoringAccount[];
  readonly logKeys: readonly string[];
  /** Newest first. */
  readonly issuerKeys: readonly IssuerKey[];
}

const freshMs = 30_000;
/** A page without the facts is worth more to its reader than one that never comes. */
const longestWaitMs = 2_000;

/**
 * Remembers the facts for half a minute, so that views of a page cost the database nothing. After a
 * failed read the last facts stay; null if there are none yet. A read that takes long delays a page
 * by two seconds at most: it goes on, and no other one begins meanwhile.
 */
export function createPublicFacts(
  read: () => Promise<PublicFacts>,
  now: () => number,
  waitMs = longestWaitMs,
): () => Promise<PublicFacts | null> {
  let last: PublicFacts | null = null;
  let reading: Promise<void> | null = null;
  let until = Number.NEGATIVE_INFINITY;
  const begin = async () => {
    try {
      last = await read();
    } catch {
      // The last facts stay.
    }
    reading = null;
  };
  return async () => {
    if (reading === null && now() < until) return last;
    if (reading === null) {
      until = now() + freshMs;
      reading = begin();
    }
    const isLate = () => new Error('the facts are not read yet');
    await inTime(reading, waitMs, isLate).catch(() => {});
    return last;
  };
}
