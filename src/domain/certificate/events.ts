import type { DefinitionsOf, EventOf } from '../event.ts';
import type { Digest } from '../proof/digest.ts';

/**
 * The bytes of a certificate, in clear, so that everybody who has them can find them in the log. Only
 * for a certificate whose bundle is signed: nobody can guess a signature, so the digest does not let
 * anybody test guesses of what else is in the PDF.
 */
export type CertificateRecorded = EventOf<
  'CertificateRecorded',
  {
    /** SHA-256 of the PDF. */
    readonly sha256: Digest;
  }
>;

export const certificateEvents: DefinitionsOf<CertificateRecorded> = {
  CertificateRecorded: { schema: 1, clear: ['sha256'] },
};
