import { createSecp256k1Check } from '../../ledger/secp256k1-check.ts';
import type { Validation } from '../../verifier/evidence/validation.ts';

/**
 * The same verdict as `isSignedValidation` of the verifier, by OpenSSL: 0.4 ms instead of 2 ms. On
 * mainnet 35 validators sign each ledger.
 */
export function createValidationCheck(): (validation: Validation) => boolean {
  const isSigned = createSecp256k1Check();
  return ({ signingKey, signature, signedBytes }) => isSigned(signingKey, signedBytes, signature);
}
