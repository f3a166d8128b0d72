import { dash, isNoteText, type ReadSignature } from '../../verifier/log/signed-note.ts';
import type { NoteSigner } from './note-key.ts';

/** Signs a text that ends with a newline (C2SP signed-note). The same keys give the same note. */
export function signNote(text: string, signers: readonly NoteSigner[]): string {
  if (!isNoteText(text) || signers.length === 0) throw new TypeError('not a text to be signed');
  const lines = signers.map(({ name, keyId, sign }) =>
    signatureLine({ name, keyId, signature: sign(text) }),
  );
  return `${text}\n${lines.join('')}`;
}

/** The line of a signature in a note, with its newline. */
export function signatureLine({ name, keyId, signature }: ReadSignature): string {
  return `${dash}${name} ${Buffer.concat([keyId, signature]).toString('base64')}\n`;
}
