import { type IssuingDeps, issueCertificate } from '../../commands/issue-certificate.ts';
import type { CertifiedProof } from '../../domain/proof/state.ts';
import type { EventMeta } from '../../event-store/stored-event.ts';

type Order = Parameters<typeof issueCertificate>[1];

/**
 * Issues the newest certificate of a proof, as `issueCertificate` does. `onLeftover` is called if an
 * unnamed PDF could not be deleted at once.
 */
export type CertificateIssuing = (
  order: Order,
  meta: EventMeta,
  onLeftover: IssuingDeps['onLeftover'],
) => Promise<CertifiedProof>;

export function createCertificateIssuing(
  deps: Omit<IssuingDeps, 'onLeftover'>,
): CertificateIssuing {
  return (order, meta, onLeftover) => issueCertificate({ ...deps, onLeftover }, order, meta);
}
