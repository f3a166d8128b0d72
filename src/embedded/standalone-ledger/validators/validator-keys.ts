import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { replaceFile } from '../../../files/replace-file.ts';
import { ed25519Key, secp256k1Key } from './signing-key.ts';

/**
 * Keys of a validator or of the publisher: the master key names it, the signing key signs. Secrets
 * are 32 bytes in hex.
 */
export interface SigningIdentity {
  readonly masterSecret: string;
  readonly signingSecret: string;
  /** Sequence of the manifest that names this signing key. */
  readonly sequence: number;
}

/** Keys of the validators and of the publisher of their list. */
export interface ValidatorKeys {
  readonly publisher: SigningIdentity;
  /** Sequence of the published list. */
  readonly listSequence: number;
  readonly validators: readonly SigningIdentity[];
}

const validatorCount = 4;

/** New keys. Masters are ed25519 and signing keys secp256k1, as on the public networks. */
export function newValidatorKeys(): ValidatorKeys {
  return {
    publisher: newIdentity(),
    listSequence: 1,
    validators: Array.from({ length: validatorCount }, newIdentity),
  };
}

/** The same validator with a new signing key and the next sequence. */
export function rotated(identity: SigningIdentity): SigningIdentity {
  return { ...identity, signingSecret: newSecret(), sequence: identity.sequence + 1 };
}

/** Reads the keys from a file, or makes and keeps them. A damaged file is an error. */
export async function readOrCreateValidatorKeys(file: string): Promise<ValidatorKeys> {
  const kept = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (kept !== null) return parse(kept, file);
  const made = newValidatorKeys();
  await keepValidatorKeys(file, made);
  return made;
}

/** Replaces the file durably. */
export function keepValidatorKeys(file: string, keys: ValidatorKeys): Promise<void> {
  return replaceFile(file, `${JSON.stringify(keys)}\n`, 0o600);
}

function newIdentity(): SigningIdentity {
  return { masterSecret: newSecret(), signingSecret: newSecret(), sequence: 1 };
}

function newSecret(): string {
  return randomBytes(32).toString('hex');
}

function parse(text: string, file: string): ValidatorKeys {
  try {
    const keys = JSON.parse(text) as ValidatorKeys;
    for (const { masterSecret, signingSecret } of [keys.publisher, ...keys.validators]) {
      ed25519Key(masterSecret);
      secp256k1Key(signingSecret);
    }
    return keys;
  } catch (cause) {
    throw new Error(
      `${file} cannot be read: restore it from a copy, or remove it, which makes new validators`,
      { cause },
    );
  }
}
