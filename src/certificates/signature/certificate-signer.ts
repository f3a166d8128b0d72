import { signDetached } from './sign-detached.ts';
import { type SigningKey, validityOf } from './signing-key.ts';

/** Signs certificates (PDF). */
export interface CertificateSigner {
  /** Bytes to keep free for the signature; null if nothing can be signed now. */
  room(): number | null;
  /** Detached CMS in DER, of at most `room` bytes. */
  sign(data: Uint8Array): Promise<Uint8Array>;
}

export interface SignerOptions {
  readonly key: SigningKey;
  /** Asks an authority for a time-stamp token (DER) of a signature; null without an authority. */
  readonly stamp: ((signature: Uint8Array, stopped: AbortSignal) => Promise<Uint8Array>) | null;
  readonly now: () => Date;
  /** Called if a signature gets no token. The PDF is issued without it. */
  readonly onUnstamped: (trouble: unknown) => void;
  /** Called if the key's certificate is not valid now. The PDF is issued without a signature. */
  readonly onInvalid: (validity: { readonly from: Date; readonly to: Date }) => void;
  /** Longest wait for a token; default 3 s. */
  readonly waitMs?: number;
}

/** A signature without certificates and token has some 700 bytes with RSA of 4,096 bits. */
const ofSignature = 1_536;
/** Tokens of large authorities have up to 7 kB. A larger one is left out. */
const ofToken = 8_192;
/** After a failure the authority is not asked for this time. */
const restMs = 60_000;

/**
 * Signs with a key, and with the tokens of an authority. Nothing waits long: after a failure, PDFs
 * are signed without a token for a minute.
 */
export function createCertificateSigner(options: SignerOptions): CertificateSigner {
  const { key, stamp, now, waitMs = 3_000 } = options;
  const validity = validityOf(key);
  const ofCertificates = key.certificates.reduce((sum, { length }) => sum + length, 0);
  let askedAgainAt = 0;
  const stampSoon = async (signature: Uint8Array): Promise<Uint8Array | null> => {
    if (stamp === null || now().getTime() < askedAgainAt) return null;
    try {
      const token = await stamp(signature, AbortSignal.timeout(waitMs));
      if (token.length > ofToken) throw new Error(`the token is larger than ${ofToken} bytes`);
      return token;
    } catch (error) {
      askedAgainAt = now().getTime() + restMs;
      options.onUnstamped(error);
      return null;
    }
  };
  return {
    room() {
      const time = now();
      if (time >= validity.from && time <= validity.to) {
        return ofSignature + ofCertificates + (stamp === null ? 0 : ofToken);
      }
      options.onInvalid(validity);
      return null;
    },
    sign: (data) => signDetached(key, data, stampSoon),
  };
}
