import { canonicalBase64 } from './canonical-base64.ts';

/** A signed note (C2SP signed-note) as it was read. Nothing in it is verified. */
export interface ReadNote {
  /** The signed text; it ends with a newline. */
  readonly text: string;
  readonly signatures: readonly ReadSignature[];
}

export interface ReadSignature {
  /** Name of the key. */
  readonly name: string;
  /** 4 bytes. */
  readonly keyId: Uint8Array;
  readonly signature: Uint8Array;
}

/** A note with more signatures is malformed for readers, here and elsewhere. */
export const mostSignatures = 100;
export const dash = '\u2014 ';

/** Reads a note without verifying it; null if it is malformed. */
export function readSignedNote(note: string): ReadNote | null {
  const end = note.lastIndexOf('\n\n');
  const text = note.slice(0, end + 1);
  if (end < 0 || !isNoteText(text)) return null;
  const signatures = readSignatureLines(note.slice(end + 2));
  return signatures === null ? null : { text, signatures };
}

/** Reads lines of signatures, each with its newline; null if one is malformed or there is none. */
export function readSignatureLines(text: string): readonly ReadSignature[] | null {
  const lines = text.split('\n');
  if (!isNoteText(text) || lines.pop() !== '') return null;
  if (lines.length === 0 || lines.length > mostSignatures) return null;
  const signatures = lines.flatMap((line) => readSignature(line) ?? []);
  return signatures.length === lines.length ? signatures : null;
}

function readSignature(line: string): ReadSignature | null {
  const [name = '', base64 = '', ...rest] = line.slice(dash.length).split(' ');
  const bytes = canonicalBase64(base64);
  if (!line.startsWith(dash) || !isKeyName(name) || rest.length > 0) return null;
  if (bytes === null || bytes.length < 5) return null;
  return { name, keyId: bytes.subarray(0, 4), signature: bytes.subarray(4) };
}

/** Checks that the name is not empty and has no white space, control character or `+`. */
export function isKeyName(name: string): boolean {
  return name.isWellFormed() && /^[^\s\p{White_Space}\p{Cc}+]+$/u.test(name);
}

/** Checks that the text ends with a newline and has no other control characters. */
export function isNoteText(text: string): boolean {
  if (!text.isWellFormed() || !text.endsWith('\n')) return false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code < 0x20 && code !== 0x0a) return false;
  }
  return true;
}
