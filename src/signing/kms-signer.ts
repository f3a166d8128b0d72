import { GetPublicKeyCommand, KMSClient, SignCommand } from '@aws-sdk/client-kms';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { digestToSign } from '../ledger/sha512-half.ts';
import { type Signer, signingAccount } from '../ledger/signer.ts';
import { SignerUnavailable } from '../ledger/signer-unavailable.ts';

/** Signatures that are asked for at once: a key of AWS KMS makes some hundreds a second. */
const atOnce = 32;

const connectMs = 3_000;
const answerMs = 5_000;

/** A client with the region and credentials of the AWS environment. */
export function createKms(): KMSClient {
  return new KMSClient({
    maxAttempts: 3,
    requestHandler: {
      connectionTimeout: connectMs,
      requestTimeout: answerMs,
      throwOnRequestTimeout: true,
      httpAgent: { keepAlive: true, maxSockets: atOnce },
      httpsAgent: { keepAlive: true, maxSockets: atOnce },
    },
  });
}

/**
 * A signer whose key is in AWS KMS, of the type ECC_SECG_P256K1. The key never leaves the service.
 * Rejects with `SignerUnavailable` if the service does not answer, or the key is of another type.
 * - `keyId`: id, alias or ARN of the key.
 */
export async function openKmsSigner(
  kms: KMSClient,
  keyId: string,
  address: string,
): Promise<Signer> {
  const asked = (error: unknown): never => {
    const { name, message } = error as Error;
    throw new SignerUnavailable(`AWS KMS, key ${keyId}: ${name}: ${message}`, { cause: error });
  };
  const { KeySpec, PublicKey, KeyId } = await kms
    .send(new GetPublicKeyCommand({ KeyId: keyId }))
    .catch(asked);
  if (KeySpec !== 'ECC_SECG_P256K1' || PublicKey === undefined) {
    throw new SignerUnavailable(
      `AWS KMS, key ${keyId}: it is of type ${KeySpec}, and must be ECC_SECG_P256K1 for signing`,
    );
  }
  const publicKey = compressed(PublicKey);
  const signOne = async (message: Buffer, abortSignal?: AbortSignal): Promise<string> => {
    const digest = digestToSign(message);
    const { Signature } = await kms
      .send(
        new SignCommand({
          // Of this very key, even if an alias names another one by now.
          KeyId: KeyId ?? keyId,
          Message: digest,
          MessageType: 'DIGEST',
          SigningAlgorithm: 'ECDSA_SHA_256',
        }),
        { ...(abortSignal && { abortSignal }) },
      )
      .catch(asked);
    const signature = Signature && canonical(Signature);
    if (!signature || !isValid(signature, digest, publicKey)) {
      throw new SignerUnavailable(`AWS KMS, key ${keyId}: the signature is not of this key`);
    }
    return signature;
  };
  return {
    ...signingAccount(address, publicKey),
    async sign(messages, cancelled) {
      const signatures: string[] = [];
      for (let from = 0; from < messages.length; from += atOnce) {
        const together = messages.slice(from, from + atOnce);
        const signing = together.map((message) => signOne(message, cancelled));
        signatures.push(...(await Promise.all(signing)));
      }
      return signatures;
    },
  };
}

function isValid(signature: string, digest: Uint8Array, publicKey: string): boolean {
  const [sig, key] = [signature, publicKey].map((hex) => Buffer.from(hex, 'hex'));
  if (sig === undefined || key === undefined) return false;
  return secp256k1.verify(sig, digest, key, { prehash: false, format: 'der' });
}

/**
 * The key in its short form, upper-case hex. AWS KMS returns SubjectPublicKeyInfo (RFC 5480), which
 * ends with the 65 bytes of the point.
 */
function compressed(spki: Uint8Array): string {
  return secp256k1.Point.fromBytes(spki.slice(-65)).toHex(true).toUpperCase();
}

/**
 * The DER form of the signature with the lower S, upper-case hex: the ledger accepts no other
 * (xrpl.org, "Transaction Malleability"), and AWS KMS returns either.
 */
function canonical(der: Uint8Array): string {
  const { r, s } = secp256k1.Signature.fromBytes(der, 'der');
  const { ORDER } = secp256k1.Point.Fn;
  const low = s > ORDER / 2n ? ORDER - s : s;
  return new secp256k1.Signature(r, low).toHex('der').toUpperCase();
}
