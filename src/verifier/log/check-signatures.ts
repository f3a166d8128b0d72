import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { verifyEd25519 } from '../evidence/verify-ed25519.ts';
import { cosignedText, readCosignature } from './cosignature.ts';
import { cosignature, logSignature, type ReadKey } from './note-key.ts';
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

/** Checks each signature of a note with the keys, in the order of the note. */
export function checkSignatures(
  { text, signatures }: ReadNote,
  keys: readonly ReadKey[],
): readonly CheckedSignature[] {
  return signatures.map((line) => {
    const { name } = line;
    const keyId = bytesToHex(line.keyId);
    const key = keys.find((one) => one.name === name && bytesToHex(one.keyId) === keyId) ?? null;
    return { name, keyId, key, ...(key === null ? unknownKey : checkLine(text, line, key)) };
  });
}

type Checked = Pick<CheckedSignature, 'outcome' | 'seconds'>;

const unknownKey: Checked = { outcome: 'unknownKey', seconds: null };
const invalid: Checked = { outcome: 'invalid', seconds: null };

function checkLine(text: string, { signature }: ReadSignature, key: ReadKey): Checked {
  if (key.type === logSignature) {
    return isSigned(key, text, signature) ? { outcome: 'valid', seconds: null } : invalid;
  }
  if (key.type !== cosignature) return { outcome: 'unknownType', seconds: null };
  const read = readCosignature(signature);
  if (read === null) return invalid;
  const isValid = isSigned(key, cosignedText(text, read.seconds), read.signature);
  return isValid ? { outcome: 'valid', seconds: read.seconds } : invalid;
}

function isSigned({ publicKey }: ReadKey, text: string, signature: Uint8Array): boolean {
  return verifyEd25519(publicKey, utf8ToBytes(text), signature);
}
