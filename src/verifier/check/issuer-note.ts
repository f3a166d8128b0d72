import { bytesToHex } from '@noble/hashes/utils.js';
import type { Bundle } from '../bundle/bundle.ts';
import { issuedText } from '../bundle/issued-text.ts';
import { type ReadNote, readSignedNote } from '../log/signed-note.ts';

/** Bundles that their issuer has signed: all since version 6. */
export type SignedBundle = Extract<Bundle, { readonly issuer: unknown }>;

export function isSigned(bundle: Bundle): bundle is SignedBundle {
  return 'issuer' in bundle;
}

/**
 * The note of the issuer in a bundle. Nothing in it is verified.
 *
 * - `malformed`: it is no note with one signature by a key that is named as an issuer's.
 * - `altered`: it is of another bundle.
 */
export type IssuerNote =
  | { readonly status: 'malformed' | 'altered' }
  /** `by` is the name and the id of the key, `NAME+ID`. */
  | { readonly status: 'stated'; readonly note: ReadNote; readonly by: string };

/** The end of the name of each issuer's key. The log's name is in front of it. */
const nameEnd = '/issuer';

/** Reads the issuer's note and compares it with the bundle. */
export function issuerNote(bundle: SignedBundle): IssuerNote {
  const note = readSignedNote(bundle.issuer.note);
  const [line, ...others] = note?.signatures ?? [];
  if (note === null || line === undefined || others.length > 0) return { status: 'malformed' };
  const { name, keyId } = line;
  if (!name.endsWith(nameEnd) || name === nameEnd) return { status: 'malformed' };
  if (note.text !== issuedText(bundle)) return { status: 'altered' };
  return { status: 'stated', note, by: `${name}+${bytesToHex(keyId)}` };
}
