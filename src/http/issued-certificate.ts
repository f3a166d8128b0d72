import { issueCertificate } from '../commands/issue-certificate.ts';
import type { CertifiedProof } from '../domain/proof/state.ts';
import type { ProofId } from '../domain/ulid.ts';
import { certificateAddresses } from './certificate-addresses.ts';
import { loggable } from './request-log.ts';
import type { KeyedCall } from './route.ts';
import type { RouteDeps } from './route-deps.ts';

/** The caller's proof with its certificate, which is issued now if it never was. */
export function issuedCertificate(
  deps: RouteDeps,
  call: Pick<
    KeyedCall<{ readonly proofId: ProofId }, unknown, unknown>,
    'params' | 'requestId' | 'caller'
  >,
): Promise<CertifiedProof> {
  const { requestId, caller, params } = call;
  const { organisationId, keyId } = caller;
  const { proofId } = params;
  const publicUrl = deps.publicUrl();
  const onLeftover = (trouble: unknown) =>
    deps.log.warn({ requestId, err: loggable(trouble) }, 'a certificate is left over');
  return issueCertificate(
    { ...deps, onLeftover },
    {
      organisationId,
      proofId,
      addressesOf: (transaction) => certificateAddresses({ ...transaction, publicUrl }),
    },
    { requestId, keyId, actor: 'api' },
  );
}
