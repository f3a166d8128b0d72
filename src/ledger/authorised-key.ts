import { deriveAddress } from 'ripple-keypairs';
import type { LedgerAccount } from './contract.ts';
import type { Signer } from './signer.ts';

/**
 * True if the ledger accepts this signer's key for its account: the master key unless it is
 * disabled, or the account's regular key (xrpl.org, Cryptographic Keys). Any other key makes every
 * submission fail with tefBAD_AUTH or tefMASTER_DISABLED.
 */
export function isAuthorised(
  signer: Pick<Signer, 'address' | 'publicKey'>,
  account: Pick<LedgerAccount, 'regularKey' | 'masterKeyDisabled'>,
): boolean {
  const keyAddress = deriveAddress(signer.publicKey);
  if (keyAddress === account.regularKey) return true;
  return keyAddress === signer.address && !account.masterKeyDisabled;
}
