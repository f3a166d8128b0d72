import type { TimestampFinding } from '../../src/certificates/check-timestamp-authority.ts';
import { BadToken } from '../../src/timestamps/bad-token.ts';
import type { Bundle } from '../../src/verifier/bundle/bundle.ts';
import { isStamped, stampedCheckpoint } from '../../src/verifier/check/check-timestamp.ts';
import { BadEvidence } from '../../src/verifier/evidence/bad-evidence.ts';

/**
 * Verifies the signature of a bundle's time-stamp token, up to one of these certificates (DER). A
 * token of other data is not verified.
 */
export async function findTimestamp(
  bundle: Bundle,
  roots: readonly Uint8Array[],
): Promise<TimestampFinding> {
  if (!isStamped(bundle)) return { asked: false, why: 'the bundle has no time-stamp token' };
  try {
    const { token, text } = stampedCheckpoint(bundle);
    // Loaded only where it is needed: the library of certificates is large.
    const { verifyToken } = await import('../../src/timestamps/verify-token.ts');
    const verified = await verifyToken(token, { data: text, roots });
    return { asked: true, holds: true, ...verified };
  } catch (error) {
    if (error instanceof BadEvidence) {
      const why =
        'the token does not lead to the log entry: the check "timestamp" gives the reason';
      return { asked: false, why };
    }
    if (!(error instanceof BadToken)) throw error;
    const why = `no certificate that you named vouches for the token: ${error.message}`;
    return { asked: true, holds: false, why };
  }
}
