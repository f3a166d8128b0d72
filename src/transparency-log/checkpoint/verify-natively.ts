import { createPublicKey, verify } from 'node:crypto';
import type { Verify } from '../../verifier/log/check-signatures.ts';

/** DER prefix of RFC 8410, followed by the 32 bytes of the public key. */
const publicPrefix = Buffer.from('302a300506032b6570032100', 'hex');

/** Verifies Ed25519 signatures with OpenSSL: faster than the verifier's own function, to the same result. */
export const verifyNatively: Verify = (publicKey, message, signature) => {
  const der = Buffer.concat([publicPrefix, publicKey]);
  const key = createPublicKey({ key: der, format: 'der', type: 'spki' });
  return verify(null, message, key, signature);
};
