import type { ListReference } from '../domain/attestation/events.ts';
import type { RecordedList } from '../loading/load-attestation.ts';
import { decodeBase64 } from '../verifier/evidence/base64.ts';
import { maxListBytes } from '../verifier/evidence/limits.ts';
import { isInForce, readListBlob } from '../verifier/evidence/list-blob.ts';

/** A list is published every few weeks. One of the next has a validator's new key. */
const mostNewer = 4;

/**
 * Lists by which the validations of a ledger may be a quorum, of those in force at its close time:
 * the named ones first, then the next ones of the same publishers. Verifies no signature.
 */
export function listsToTry(
  lists: readonly RecordedList[],
  named: readonly ListReference[],
  closeTime: number,
): readonly RecordedList[] {
  const isNamed = ({ publisherKey, sequence }: RecordedList) =>
    named.some((one) => one.publisherKey === publisherKey && one.sequence === sequence);
  const isNewer = ({ publisherKey, sequence }: RecordedList) =>
    named.some((one) => one.publisherKey === publisherKey && one.sequence < sequence);
  const wasInForce = ({ blob }: RecordedList) =>
    isInForce(readListBlob(decodeBase64(blob, maxListBytes, 'the list')), closeTime);
  const newer = lists
    .filter((list) => isNewer(list) && !isNamed(list))
    .sort((a, b) => a.sequence - b.sequence)
    .values()
    .filter(wasInForce)
    .take(mostNewer);
  return [...lists.filter((list) => isNamed(list) && wasInForce(list)), ...newer];
}
