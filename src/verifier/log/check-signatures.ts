import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { verifyEd25519 } from '../evidence/verify-ed25519.ts';
import { cosignedText, readCosignature } from './cosignature.ts';
import { cosignature, isNamedBy, logSignature, type ReadKey } from './note-key.ts';
import type { ReadNote, ReadSignature } from './signed-note.ts';

/** Result of checking one signature of a note. Only `valid` says anything about the text. */
export interface CheckedSignature {
  /** Name of the key, as the note states it. */
  readonly name: string;
  /** 8 hexadecimal characters. */
  readonly keyId: string;
  /** `unknownKey`: none of the keys is this one. `unknownType`: its signatures are of another kind. */
  readonly outcome: 'valid' | 'invalid' | 'unknownKey' | 'unknownType';
  /** The key among those given; null if none is this one. */
  readonly key: ReadKey | null;
  /** Time that a valid cosignature states, in seconds since 1970; otherwise null. */
  readonly seconds: number | null;
}

/** True if the Ed25519 key (32 bytes) signed the message. */
export type Verify = typeof verifyEd25519;

/**
 * Checks each signature of a note with the keys, in the order of the note. `verify` may be a faster
 * function of the environment.
 */
export function checkSignatures(
  { text, signatures }: ReadNote,
  keys: readonly ReadKey[],
  verify: Verify = verifyEd25519,
): readonly CheckedSignature[] {
  return signatures.map((line) => {
    const key = keys.find((one) => isNamedBy(line, one)) ?? null;
    const { name, keyId } = line;
    return {
      ...{ name, keyId: bytesToHex(keyId), key },
      ...(key === null ? unknownKey : checkLine(text, line, key, verify)),
    };
  });
}

/** Result of verifying a note with known keys. Only a `verified` note can be trusted. */
export type OpenedNote =
  | { readonly status: 'verified'; readonly by: readonly ReadKey[] }
  /** No known key has signed the note. */
  | { readonly status: 'unknown-keys' }
  /** A signature that names a known key is invalid. */
  | { readonly status: 'forged'; readonly key: string };

/**
 * Verifies a note with the known keys of logs or issuers. Signatures of unknown keys are ignored, but
 * one invalid signature of a known key makes the note `forged`.
 */
export function openNote(note: ReadNote, keys: readonly ReadKey[], verify?: Verify): OpenedNote {
  const checked = checkSignatures(note, keys.filter(isOfLog), verify);
  const forged = checked.find(({ outcome }) => outcome === 'invalid')?.key;
  if (forged) return { status: 'forged', key: forged.vkey };
  const by = new Set(checked.flatMap(({ key }) => key ?? []));
  return by.size === 0 ? { status: 'unknown-keys' } : { status: 'verified', by: [...by] };
}

function isOfLog({ type }: ReadKey): boolean {
  return type === logSignature;
}

type Checked = Pick<CheckedSignature, 'outcome' | 'seconds'>;

const unknownKey: Checked = { outcome: 'unknownKey', seconds: null };
const invalid: Checked = { outcome: 'invalid', seconds: null };

function checkLine(
  text: string,
  { signature }: ReadSignature,
  { type, publicKey }: ReadKey,
  verify: Verify,
): Checked {
  const isSigned = (signed: string, bytes: Uint8Array) =>
    verify(publicKey, utf8ToBytes(signed), bytes);
  if (type === logSignature) {
    return isSigned(text, signature) ? { outcome: 'valid', seconds: null } : invalid;
  }
  if (type !== cosignature) return { outcome: 'unknownType', seconds: null };
  const read = readCosignature(signature);
  if (read === null) return invalid;
  const isValid = isSigned(cosignedText(text, read.seconds), read.signature);
  return isValid ? { outcome: 'valid', seconds: read.seconds } : invalid;
}
