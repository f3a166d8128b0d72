import { createPrivateKey, type KeyObject } from 'node:crypto';
import { type AuthenticatedSafe, PFX, type SafeContents } from 'pkijs';
import { type SigningKey, signingKeyOf, UnusableSigningKey } from './signing-key.ts';

const bags = {
  key: '1.2.840.113549.1.12.10.1.1',
  encryptedKey: '1.2.840.113549.1.12.10.1.2',
  certificate: '1.2.840.113549.1.12.10.1.3',
};

/**
 * Reads a key and its certificates from a PKCS #12 file (RFC 7292). Rejects with
 * `UnusableSigningKey`.
 */
export async function readPkcs12(file: Uint8Array, password: string): Promise<SigningKey> {
  const safes = await openSafes(file, new Uint8Array(Buffer.from(password)).buffer);
  const keys: KeyObject[] = [];
  const certificates: Uint8Array[] = [];
  for (const bag of safes.flatMap(({ safeBags }) => safeBags)) {
    // The library's types do not say which identifier has which value.
    const value = bag.bagValue as unknown as Bag;
    if (bag.bagId === bags.certificate) certificates.push(derOf(value.parsedValue));
    if (bag.bagId === bags.key) keys.push(keyOf(value));
    if (bag.bagId === bags.encryptedKey) {
      await value.parseInternalValues({ password: new Uint8Array(Buffer.from(password)).buffer });
      keys.push(keyOf(value.parsedValue));
    }
  }
  const [key, ...others] = keys;
  if (key === undefined || others.length > 0) {
    throw new UnusableSigningKey(`has ${keys.length} keys, but exactly one is needed`);
  }
  return signingKeyOf(key, certificates);
}

interface Encodable {
  toSchema(encode?: boolean): { toBER(): ArrayBuffer };
}
interface Bag extends Encodable {
  readonly parsedValue: Encodable;
  parseInternalValues(parameters: { readonly password: ArrayBuffer }): Promise<void>;
}

function derOf(value: Encodable): Uint8Array {
  return new Uint8Array(value.toSchema(true).toBER());
}

function keyOf(value: Encodable): KeyObject {
  const der = Buffer.from(value.toSchema().toBER());
  return createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
}

async function openSafes(
  file: Uint8Array,
  password: ArrayBuffer,
): Promise<readonly SafeContents[]> {
  const pfx = parse(file);
  try {
    await pfx.parseInternalValues({ password, checkIntegrity: true });
  } catch (cause) {
    throw new UnusableSigningKey(
      'cannot be opened: the password is wrong, or the file is damaged (CERTIFICATE_SIGNING_PASSWORD)',
      { cause },
    );
  }
  try {
    const safe = pfx.parsedValue?.authenticatedSafe as AuthenticatedSafe;
    await safe.parseInternalValues({
      safeContents: safe.safeContents.map(() => ({ password })),
    });
    const contents: readonly { readonly value: SafeContents }[] = safe.parsedValue.safeContents;
    return contents.map(({ value }) => value);
  } catch (cause) {
    throw new UnusableSigningKey(
      'cannot be decrypted: it is of an old kind; export it again with OpenSSL 3, without -legacy',
      { cause },
    );
  }
}

function parse(file: Uint8Array): PFX {
  try {
    return PFX.fromBER(new Uint8Array(file).buffer);
  } catch (cause) {
    throw new UnusableSigningKey('is not a PKCS #12 file', { cause });
  }
}
