import { bytesToHex } from '@noble/hashes/utils.js';
import type { Bundle } from '../bundle/bundle.ts';
import { checkAddresses } from './check-addresses.ts';
import { checkChecksum } from './check-checksum.ts';
import { checkCommitment } from './check-commitment.ts';
import { checkHeader } from './check-header.ts';
import { checkTransactionHash } from './check-transaction-hash.ts';
import { isSigned, issuerNote } from './issuer-note.ts';

/**
 * True if the parts of a bundle agree, as far as hashes alone can show. Agreement proves nothing
 * yet; disagreement shows that the bundle was changed. `ops verify` also checks the signatures, the
 * metadata and the position in the issuer's log.
 */
export function isConsistent(bundle: Bundle): boolean {
  const checks = [
    checkChecksum(bundle),
    ...checkCommitment(bundle, null),
    checkTransactionHash(bundle),
    ...checkHeader(bundle),
    checkAddresses(bundle),
  ];
  if (isSigned(bundle) && issuerNote(bundle).status !== 'stated') return false;
  return holdsMemo(bundle.evidence) && checks.every(({ outcome }) => outcome !== 'failed');
}

/** True if the transaction holds the memo's bytes. `ops verify` also excludes other content. */
function holdsMemo({ blob, memo }: Bundle['evidence']): boolean {
  return blob.includes(bytesToHex(new TextEncoder().encode(memo.data)).toUpperCase());
}
