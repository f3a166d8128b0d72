import {
  dash,
  isNoteText,
  type ReadSignature,
  readSignatureLines,
  readSignedNote,
} from '../../verifier/log/signed-note.ts';
import type { NoteSigner, NoteVerifier } from './note-key.ts';

/** A parsed note. Nothing in it is verified. */
interface SignedNote {
  /** The signed text; it ends with a newline. */
  readonly text: string;
  readonly signatures: readonly NoteSignature[];
}

export interface NoteSignature {
  /** Name of the key. */
  readonly name: string;
  /** 4 bytes. */
  readonly keyId: Buffer;
  readonly signature: Buffer;
}

/** Result of verifying a note with the known keys. Only a `verified` note can be trusted. */
export type OpenedNote =
  | { readonly status: 'verified'; readonly text: string; readonly by: readonly NoteVerifier[] }
  | { readonly status: 'malformed' }
  /** No known key has signed the note. */
  | { readonly status: 'unknown-keys' }
  /** A signature that names a known key is invalid. */
  | { readonly status: 'forged'; readonly key: string };

/** Signs a text that ends with a newline (C2SP signed-note). The same keys give the same note. */
export function signNote(text: string, signers: readonly NoteSigner[]): string {
  if (!isNoteText(text) || signers.length === 0) throw new TypeError('not a text to be signed');
  const lines = signers.map(({ name, keyId, sign }) =>
    signatureLine({ name, keyId, signature: sign(text) }),
  );
  return `${text}\n${lines.join('')}`;
}

/** The line of a signature in a note, with its newline. */
export function signatureLine({ name, keyId, signature }: NoteSignature): string {
  return `${dash}${name} ${Buffer.concat([keyId, signature]).toString('base64')}\n`;
}

/** Parses lines of signatures, each with its newline; null if one is malformed. */
export function parseSignatureLines(text: string): readonly NoteSignature[] | null {
  return readSignatureLines(text)?.map(inBuffers) ?? null;
}

/** Parses a note without verifying it; null if it is malformed. */
export function parseNote(note: string): SignedNote | null {
  const read = readSignedNote(note);
  return read === null ? null : { text: read.text, signatures: read.signatures.map(inBuffers) };
}

/**
 * Verifies a note with the known keys. Signatures of unknown keys are ignored, but one invalid
 * signature of a known key makes the note `forged`.
 */
export function openNote(note: string, verifiers: readonly NoteVerifier[]): OpenedNote {
  const parsed = parseNote(note);
  if (parsed === null) return { status: 'malformed' };
  const by: NoteVerifier[] = [];
  for (const { name, keyId, signature } of parsed.signatures) {
    const key = verifiers.find((known) => known.name === name && known.keyId.equals(keyId));
    if (key === undefined) continue;
    if (!key.verify(parsed.text, signature)) return { status: 'forged', key: key.vkey };
    if (!by.includes(key)) by.push(key);
  }
  return by.length === 0
    ? { status: 'unknown-keys' }
    : { status: 'verified', text: parsed.text, by };
}

function inBuffers({ name, keyId, signature }: ReadSignature): NoteSignature {
  return { name, keyId: Buffer.from(keyId), signature: Buffer.from(signature) };
}
