import { verifierProgram } from '../certificates/verifier-program.ts';
import type { Network } from '../domain/network.ts';
import type { CertificateInputs } from '../domain/proof/certificate-inputs.ts';
import { explorerUrl, verifyPageUrl } from './explorer-url.ts';

/** Addresses in a certificate for viewing its transaction. */
export function certificateAddresses(transaction: {
  readonly network: Network;
  readonly standalone: boolean;
  readonly hash: string;
  readonly publicUrl: string;
}): Pick<
  CertificateInputs,
  'verifyUrl' | 'verifyPageUrl' | 'publicApiUrl' | 'explorerUrl' | 'verifier'
> {
  const { hash } = transaction;
  const publicUrl = transaction.publicUrl.replace(/\/+$/, '');
  return {
    verifyUrl: explorerUrl(transaction),
    verifyPageUrl: verifyPageUrl(transaction),
    publicApiUrl: `${publicUrl}/api/public/verify/${hash}`,
    explorerUrl: explorerUrl(transaction),
    verifier: { url: `${publicUrl}/verify.py`, sha256: verifierProgram().sha256 },
  };
}
