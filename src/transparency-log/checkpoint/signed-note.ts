import { decodeBase64 } from './base64.ts';
import { isKeyName, type NoteSigner, type NoteVerifier } from './note-key.ts';

/** A note taken apart. Nothing of it is verified. */
export interface SignedNote {
  /** What is signed; it ends with a newline. */
  readonly text: string;
  readonly signatures: readonly NoteSignature[];
}

export interface NoteSignature {
  /** Of the key. */
  readonly name: string;
  /** 4 bytes. */
  readonly keyId: Buffer;
  readonly signature: Buffer;
}

/** What came of verifying a note with keys that one knows; a note that is not `verified` says nothing. */
export type OpenedNote =
  | { readonly status: 'verified'; readonly text: string; readonly by: readonly NoteVerifier[] }
  | { readonly status: 'malformed' }
  /** By none of the keys. */
  | { readonly status: 'unknown-keys' }
  /** A signature that is said to be of a known key is not. */
  | { readonly status: 'forged'; readonly key: string };

const maxSignatures = 100;
const dash = '\u2014 ';

/** The note over a text that ends with a newline (C2SP signed-note): the same for the same keys. */
export function signNote(text: string, signers: readonly NoteSigner[]): string {
  if (!isNoteText(text) || signers.length === 0) throw new TypeError('not a text to be signed');
  const lines = signers.map(({ name, keyId, sign }) => {
    const signature = Buffer.concat([keyId, sign(text)]).toString('base64');
    return `${dash}${name} ${signature}\n`;
  });
  return `${text}\n${lines.join('')}`;
}

/** Null for what is not a note. */
export function parseNote(note: string): SignedNote | null {
  const end = note.lastIndexOf('\n\n');
  const text = note.slice(0, end + 1);
  const lines = note.slice(end + 2).split('\n');
  // Each signature's line ends with a newline too.
  if (end < 0 || !isNoteText(text) || !isNoteText(note) || lines.pop() !== '') return null;
  if (lines.length === 0 || lines.length > maxSignatures) return null;
  const signatures = lines.flatMap((line) => parseSignature(line) ?? []);
  return signatures.length === lines.length ? { text, signatures } : null;
}

/**
 * Verifies a note with the keys that one knows: others are passed over, but one signature of a known
 * key that does not fit spoils all.
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

/** Without control characters but newlines, and with one at its end. */
function isNoteText(text: string): boolean {
  if (!text.isWellFormed() || !text.endsWith('\n')) return false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code < 0x20 && code !== 0x0a) return false;
  }
  return true;
}
