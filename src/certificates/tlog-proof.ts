import type { Bundle } from '../verifier/bundle/bundle.ts';
import { canonicalBytes } from '../verifier/log/leaf.ts';

/**
 * The proof that a bundle's anchoring is in the issuer's log, in the form of C2SP tlog-proof, with
 * the cosignatures of its checkpoint. Its extra data is the record: the leaf is the SHA-256 of a
 * zero byte and the record. Null for a bundle of version 1, which has no such proof.
 */
export function tlogProofOf(bundle: Bundle): string | null {
  if (bundle.version === 1) return null;
  const { event, leafIndex, hashes, checkpoint } = bundle.log;
  const record = Buffer.from(canonicalBytes(event));
  const lines = [
    'c2sp.org/tlog-proof@v1',
    `extra ${record.toString('base64')}`,
    `index ${leafIndex}`,
    ...hashes.map((hex) => Buffer.from(hex, 'hex').toString('base64')),
  ];
  return `${lines.join('\n')}\n\n${checkpoint}`;
}
