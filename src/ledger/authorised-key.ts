import { deriveAddress } from 'ripple-keypairs';
import type { LedgerAccount } from './contract.ts';
import type { Signer } from './signer.ts';

/**
 * Whether the ledger takes what this signer signs for its account: with the master key unless that
 * is disabled, or with the account's regular key (xrpl.org, Cryptographic Keys). Otherwise every
 * submission would be answered tefBAD_AUTH or tefMASTER_DISABLED.
 */
export function isAuthorised(
  signer: Pick<Signer, 'address' | 'publicKey'>,
  account: Pick<LedgerAccount, 'regularKey' | 'masterKeyDisabled'>,
): boolean {
  const keyAddress = deriveAddress(signer.publicKey);
  if (keyAddress === account.regularKey) return true;
  return keyAddress === signer.address && !account.masterKeyDisabled;
}
