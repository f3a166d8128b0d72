import { type IssuingDeps, issueCertificate } from '../../commands/issue-certificate.ts';
import type { Network } from '../../domain/network.ts';
import type { CertificateInputs } from '../../domain/proof/events.ts';
import type { CertifiedProof } from '../../domain/proof/state.ts';
import type { ProofId } from '../../domain/ulid.ts';
import { loggable } from '../../errors/loggable.ts';
import { explorerUrl, verifyPageUrl } from '../../views/explorer-url.ts';
import type { KeyedCall } from '../route.ts';
import type { CertificateReadDeps } from './read-certificate.ts';

/** Dependencies of issuing a certificate, and of reading it again. */
export interface CertificateDeps extends Omit<IssuingDeps, 'onLeftover'>, CertificateReadDeps {
  readonly publicUrl: () => string;
}

/** Returns the caller's proof with its certificate. Issues the certificate if there is none yet. */
export function issuedCertificate(
  deps: CertificateDeps,
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
    deps.log.warn(
      { requestId, err: loggable(trouble) },
      'unneeded certificate could not be deleted; the sweep deletes it later',
    );
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

/** Addresses in a certificate for viewing its transaction. */
function certificateAddresses(transaction: {
  readonly network: Network;
  readonly standalone: boolean;
  readonly hash: string;
  readonly publicUrl: string;
}): Pick<CertificateInputs, 'verifyUrl' | 'verifyPageUrl' | 'publicApiUrl' | 'explorerUrl'> {
  const { hash } = transaction;
  const publicUrl = transaction.publicUrl.replace(/\/+$/, '');
  return {
    verifyUrl: explorerUrl(transaction),
    verifyPageUrl: verifyPageUrl(transaction),
    publicApiUrl: `${publicUrl}/api/public/verify/${hash}`,
    explorerUrl: explorerUrl(transaction),
  };
}
