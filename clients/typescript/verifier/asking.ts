import { X509Certificate } from 'node:crypto';
import { askService } from '../../../ops/verifying/ask-issued.ts';
import { askServer } from '../../../ops/verifying/ask-server.ts';
import { findTimestamp } from '../../../ops/verifying/find-timestamp.ts';
import type { Bundle } from '../../../src/verifier/bundle/bundle.ts';
import type { Asking, ReadBundle } from '../src/verify/contract.ts';

export const asking: Asking = {
  askLedger: (url, read) => askServer(url, bundleOf(read)),
  askService: (url, { pdf }) => askService(url, pdf ?? ''),
  async checkToken(authorities, read) {
    const roots = certificatesIn(authorities);
    if (roots === null) {
      return { refused: 'options', message: 'timestampAuthorities: no readable certificate (PEM)' };
    }
    return findTimestamp(bundleOf(read), roots);
  },
};

/** Only `verifier.read` makes such values. */
function bundleOf({ bundle }: ReadBundle): Bundle {
  return bundle as Bundle;
}

/** Certificates (DER) of a text; null if it has none, or one of them cannot be read. */
function certificatesIn(pem: string): readonly Uint8Array[] | null {
  const found = pem.match(/-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g) ?? [];
  try {
    return found.length === 0 ? null : found.map((one) => new X509Certificate(one).raw);
  } catch {
    return null;
  }
}
