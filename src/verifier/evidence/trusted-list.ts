import { BadEvidence } from './bad-evidence.ts';
import { isInForce } from './list-blob.ts';
import {
  blobsOf,
  type PublishedList,
  type SignedBlob,
  statedPublisher,
  type VerifiedList,
  verifyBlob,
} from './validator-list.ts';

/**
 * Verifies a list by a trusted publisher (master keys, upper-case hex) that was in force at a time:
 * seconds since 2000-01-01T00:00:00Z. Throws `BadEvidence`.
 */
export function trustedList(
  blob: SignedBlob,
  time: number,
  publisherKeys: readonly string[],
): VerifiedList {
  const publisher = statedPublisher(blob);
  if (!publisherKeys.includes(publisher)) {
    const why = `the validator list is by the publisher ${publisher}, which is not trusted`;
    throw new BadEvidence('publisher', why);
  }
  const list = verifyBlob(blob);
  if (isInForce(list, time)) return list;
  const why = `validator list ${list.sequence} was not in force when the ledger closed`;
  throw new BadEvidence('listTime', why);
}

/**
 * The same for a list as it is published: of the blobs that were in force, the one with the highest
 * sequence. The stated publisher must be the one in the manifest. Throws `BadEvidence`.
 */
export function trustedPublishedList(
  published: PublishedList,
  time: number,
  publisherKeys: readonly string[],
): VerifiedList {
  let newest: VerifiedList | null = null;
  let reason: unknown = new BadEvidence('list', 'the validator list is empty');
  for (const blob of blobsOf(published)) {
    try {
      const list = trustedList(blob, time, publisherKeys);
      if (String(published.public_key).toUpperCase() !== list.publisherKey) {
        const why = 'the validator list states another publisher than its manifest';
        throw new BadEvidence('publisher', why);
      }
      if (newest === null || list.sequence > newest.sequence) newest = list;
    } catch (error) {
      if (!(error instanceof BadEvidence)) throw error;
      reason = error;
    }
  }
  if (newest === null) throw reason;
  return newest;
}
