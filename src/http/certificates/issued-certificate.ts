import { type CertifiedProof, certificatesOf, isCertified } from '../../domain/proof/state.ts';
import { Refusal } from '../../domain/refusal.ts';
import type { ProofId } from '../../domain/ulid.ts';
import { loggable } from '../../errors/loggable.ts';
import { loadOwnProof } from '../../loading/load-own-proof.ts';
import { certificateAddresses } from '../../views/certificate-addresses.ts';
import { queryNumber } from '../fields.ts';
import type { KeyedCall } from '../route.ts';
import type { CertificateIssuing } from './certificate-issuing.ts';
import type { CertificateReadDeps } from './read-certificate.ts';

/** Dependencies of serving a certificate, which is issued if necessary. */
export interface ServingDeps extends Pick<CertificateReadDeps, 'store' | 'log'> {
  readonly issueCertificate: CertificateIssuing;
  readonly publicUrl: () => string;
}

/** Dependencies of serving a certificate, and of reading its PDF. */
export interface CertificateDeps extends ServingDeps, CertificateReadDeps {}

/** Query of the routes that return a certificate or its bundle. */
export const certificateNumber = queryNumber(1, 1_000)
  .meta({
    description:
      'the number of a certificate in GET /proofs/{proofId}/certificates; default: the newest one, ' +
      'which is issued if necessary',
    examples: [1],
  })
  .optional();

type CertificateCall = Pick<
  KeyedCall<{ readonly proofId: ProofId }, { readonly number?: number | undefined }, unknown>,
  'params' | 'query' | 'requestId' | 'caller' | 'meta'
>;

/** A certificate of a proof, with the header that links it with its successor or predecessor. */
export interface ServedCertificate {
  /** The proof with this certificate as its newest one. */
  readonly proof: CertifiedProof;
  readonly links: Readonly<Record<string, string>>;
}

/**
 * Returns the caller's proof with the certificate of the number, or else with its newest one, which
 * is issued if necessary. Refuses with PROOF_NOT_FOUND if there is no such number.
 */
export async function servedCertificate(
  deps: ServingDeps,
  call: CertificateCall,
  pathOf: (number: number) => string,
): Promise<ServedCertificate> {
  const whole = await (call.query.number === undefined
    ? issuedCertificate(deps, call)
    : loadOwnProof(deps.store, {
        organisationId: call.caller.organisationId,
        proofId: call.params.proofId,
      }));
  const all = isCertified(whole) ? certificatesOf(whole) : [];
  const number = call.query.number ?? all.length;
  const certificate = all[number - 1];
  if (!isCertified(whole) || certificate === undefined) {
    throw new Refusal('PROOF_NOT_FOUND', `the proof has no certificate ${number}`);
  }
  const links = [
    ...(number > 1 ? [`<${pathOf(number - 1)}>; rel="predecessor-version"`] : []),
    ...(number < all.length ? [`<${pathOf(number + 1)}>; rel="successor-version"`] : []),
  ];
  return {
    proof: { ...whole, certificate },
    links: links.length === 0 ? {} : { Link: links.join(', ') },
  };
}

/**
 * Returns the caller's proof with its newest certificate, which is issued if necessary. If only its
 * successor cannot be issued now, the certificate itself can be had all the same.
 */
async function issuedCertificate(
  deps: ServingDeps,
  call: Pick<CertificateCall, 'params' | 'requestId' | 'caller' | 'meta'>,
): Promise<CertifiedProof> {
  try {
    return await issue(deps, call);
  } catch (error) {
    if (error instanceof Refusal) throw error;
    const { organisationId } = call.caller;
    const { proofId } = call.params;
    const proof = await loadOwnProof(deps.store, { organisationId, proofId });
    if (!isCertified(proof)) throw error;
    deps.log.warn(
      { requestId: call.requestId, proofId, err: loggable(error) },
      'successor of a certificate could not be issued; retrying later',
    );
    return proof;
  }
}

function issue(
  deps: ServingDeps,
  call: Pick<CertificateCall, 'params' | 'requestId' | 'caller' | 'meta'>,
): Promise<CertifiedProof> {
  const { requestId, caller, params, meta } = call;
  const { organisationId } = caller;
  const { proofId } = params;
  const publicUrl = deps.publicUrl();
  const onLeftover = (trouble: unknown) =>
    deps.log.warn(
      { requestId, err: loggable(trouble) },
      'unneeded certificate could not be deleted; the sweep deletes it later',
    );
  return deps.issueCertificate(
    {
      organisationId,
      proofId,
      addressesOf: (transaction) => certificateAddresses({ ...transaction, publicUrl }),
    },
    meta,
    onLeftover,
  );
}
