import { bytesToHex } from '@noble/hashes/utils.js';
import type { Bundle } from '../bundle/bundle.ts';
import { checkAddresses } from './check-addresses.ts';
import { checkChecksum } from './check-checksum.ts';
import { checkCommitment } from './check-commitment.ts';
import { checkHeader } from './check-header.ts';
import { checkTransactionHash } from './check-transaction-hash.ts';

/**
 * True if the parts of a bundle fit together, as far as hashes alone can tell. Such parts prove nothing
 * yet; others show that the bundle was changed. `ops verify` also checks signature, metadata and the
 * place in the issuer's log.
 */
export function isConsistent(bundle: Bundle): boolean {
  const checks = [
    checkChecksum(bundle),
    ...checkCommitment(bundle, null),
    checkTransactionHash(bundle),
    ...checkHeader(bundle),
    checkAddresses(bundle),
  ];
  return holdsMemo(bundle.evidence) && checks.every(({ outcome }) => outcome !== 'failed');
}

/** The memo's bytes are in the transaction; `ops verify` checks that nothing else is. */
function holdsMemo({ blob, memo }: Bundle['evidence']): boolean {
  return blob.includes(bytesToHex(new TextEncoder().encode(memo.data)).toUpperCase());
}
