import type { Network } from '../domain/network.ts';
import type { CertificateInputs } from '../domain/proof/events.ts';
import { explorerUrl } from './explorer-url.ts';

/** Where a certificate sends whoever wants to see its transaction. */
export function certificateAddresses(transaction: {
  readonly network: Network;
  readonly standalone: boolean;
  readonly hash: string;
  readonly publicUrl: string;
}): Pick<CertificateInputs, 'verifyUrl' | 'publicApiUrl' | 'explorerUrl'> {
  const { hash } = transaction;
  const publicUrl = transaction.publicUrl.replace(/\/+$/, '');
  return {
    verifyUrl: `${publicUrl}/verify/${hash}`,
    publicApiUrl: `${publicUrl}/api/public/verify/${hash}`,
    explorerUrl: explorerUrl(transaction),
  };
}
