import { findLink } from '../../../projections/links/query.ts';
import { linkTokenHash } from '../../domain/link/link-token.ts';
import { type Link, liveLink } from '../../domain/link/state.ts';
import { type CertifiedProof, isCertified } from '../../domain/proof/state.ts';
import { Refusal } from '../../domain/refusal.ts';
import { loadLinks } from '../../loading/load-links.ts';
import { loadOrganisation } from '../../loading/load-organisation.ts';
import { loadOwnProof } from '../../loading/load-own-proof.ts';
import type { ReadModels } from '../../subscriptions/projection.ts';
import { type CertificateReadDeps, readCertifiedBundle } from '../certificates/read-certificate.ts';

/** Dependencies of showing a shared proof. */
export interface SharingDeps extends Pick<CertificateReadDeps, 'store' | 'certificates'> {
  readonly db: ReadModels;
  readonly now: () => Date;
}

/** A proof with a certificate, and the live link by which it was found. */
export interface SharedProof {
  readonly link: Link;
  readonly proof: CertifiedProof;
}

/**
 * The proof that is shared by this token. Refuses with NO_LONGER_SHARED a token that was withdrawn,
 * has expired, is of a closed or erased organisation, or never existed. The refusal does not
 * distinguish these cases. The log decides, so a withdrawal takes effect at once.
 */
export async function findSharedProof(deps: SharingDeps, token: string): Promise<SharedProof> {
  const found = await findLiveLink(deps, token).catch(asNotShared);
  if (found === null) throw notShared();
  const { organisationId, proofId } = found;
  const proof = await loadOwnProof(deps.store, { organisationId, proofId }).catch(asNotShared);
  if (proof === null || !isCertified(proof)) throw notShared();
  return { link: found, proof };
}

/**
 * The bundle of a shared proof in its form for sharing, without what the owner does not show. `onHeaders`
 * is called with the number of ledger headers in the bundle before they are read. If it rejects, they are
 * not read.
 */
export async function sharedBundle(
  deps: SharingDeps,
  { link, proof }: SharedProof,
  onHeaders: (count: number) => Promise<void>,
): Promise<Uint8Array> {
  const whole = await readCertifiedBundle(deps, proof, onHeaders);
  return deps.certificates.share(whole, { withFileName: link.showsFileName });
}

async function findLiveLink({ db, store, now }: SharingDeps, token: string): Promise<Link | null> {
  const tokenHash = linkTokenHash(token);
  const found = tokenHash === null ? null : await findLink(db, tokenHash);
  if (found === null) return null;
  const organisation = await loadOrganisation(store, found.organisationId);
  if (organisation.closed) return null;
  return liveLink(await loadLinks(store, found.proofId), found.linkId, now());
}

/** A refusal means that organisation or proof are no longer there. */
function asNotShared(error: unknown): null {
  if (error instanceof Refusal) return null;
  throw error;
}

function notShared(): Refusal {
  const message = 'this proof is no longer shared, or the link is incomplete';
  return new Refusal('NO_LONGER_SHARED', message);
}
