declare const digestBrand: unique symbol;

/** A SHA-256 digest: 64 lower-case hexadecimal characters. */
export type Digest = string & { readonly [digestBrand]: true };

export function isDigest(text: unknown): text is Digest {
  return typeof text === 'string' && /^[a-f0-9]{64}$/.test(text);
}
