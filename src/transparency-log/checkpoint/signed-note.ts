import { decodeBase64 } from './base64.ts';
import { isKeyName, type NoteSigner, type NoteVerifier } from './note-key.ts';

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

/** A note with more signatures is malformed for readers, here and elsewhere. */
export const mostSignatures = 100;
const dash = '\u2014 ';

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
  const lines = text.split('\n');
  if (!isNoteText(text) || lines.pop() !== '' || lines.length > mostSignatures) return null;
  const signatures = lines.flatMap((line) => parseSignature(line) ?? []);
  return signatures.length === lines.length ? signatures : null;
}

/** Parses a note without verifying it; null if it is malformed. */
export function parseNote(note: string): SignedNote | null {
  const end = note.lastIndexOf('\n\n');
  const text = note.slice(0, end + 1);
  const lines = note.slice(end + 2).split('\n');
  // Each signature's line ends with a newline too.
  if (end < 0 || !isNoteText(text) || !isNoteText(note) || lines.pop() !== '') return null;
  if (lines.length === 0 || lines.length > mostSignatures) return null;
  const signatures = lines.flatMap((line) => parseSignature(line) ?? []);
  return signatures.length === lines.length ? { text, signatures } : null;
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
    if (key === undefined || by.includes(key)) continue;
    if (!key.verify(parsed.text, signature)) return { status: 'forged', key: key.vkey };
    by.push(key);
  }
  return by.length === 0
    ? { status: 'unknown-keys' }
    : { status: 'verified', text: parsed.text, by };
}

function parseSignature(line: string): NoteSignature | null {
  const [name = '', base64 = '', ...rest] = line.slice(dash.length).split(' ');
  const bytes = decodeBase64(base64);
  if (!line.startsWith(dash) || !isKeyName(name) || rest.length > 0) return null;
  if (bytes === null || bytes.length < 5) return null;
  return { name, keyId: bytes.subarray(0, 4), signature: bytes.subarray(4) };
}

/** Checks that the text ends with a newline and has no other control characters. */
function isNoteText(text: string): boolean {
  if (!text.isWellFormed() || !text.endsWith('\n')) return false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code < 0x20 && code !== 0x0a) return false;
  }
  return true;
}
