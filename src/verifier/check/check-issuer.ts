import type { Bundle } from '../bundle/bundle.ts';
import { openNote } from '../log/check-signatures.ts';
import type { ReadKey } from '../log/note-key.ts';
import { type Check, failed, notChecked, ok } from './check.ts';
import { isSigned, issuerNote, type SignedBundle } from './issuer-note.ts';

/**
 * The issuer's signature of a bundle. `by` is the name and the id of the key, `NAME+ID`.
 *
 * - `signed`: by one of the known keys, so the claims in the bundle are statements of its owner.
 * - `unknownKey`: nobody has verified the signature, so anybody may have made it.
 * - `malformed`, `altered`, `forged`: the bundle is not as its issuer wrote it.
 */
export type IssuerFinding =
  | { readonly status: 'signed' | 'unknownKey' | 'forged'; readonly by: string }
  | { readonly status: 'malformed' | 'altered' };

/** Verifies the issuer's signature with the keys that the reader trusts. */
export function findIssuer(bundle: SignedBundle, known: readonly ReadKey[]): IssuerFinding {
  const stated = issuerNote(bundle);
  if (stated.status !== 'stated') return stated;
  const { note, by } = stated;
  const { status } = openNote(note, known);
  if (status === 'verified') return { status: 'signed', by };
  return { status: status === 'forged' ? 'forged' : 'unknownKey', by };
}

/**
 * Checks the issuer's signature. Returns no check for a bundle without one. It covers all that the
 * bundle states except the nonce, and proves nothing about the ledger.
 */
export function checkIssuer(bundle: Bundle, known: readonly ReadKey[]): Check[] {
  if (!isSigned(bundle)) return [];
  const name = 'issuer signature';
  const found = findIssuer(bundle, known);
  switch (found.status) {
    case 'signed':
      return [ok(name, `the bundle, with its names and dates, is signed with the key ${found.by}`)];
    case 'unknownKey':
      return [notChecked(name, unknown(found.by, known))];
    case 'forged':
      return [
        failed(name, `the signature is not by the key ${found.by}: it was forged or changed`),
      ];
    case 'altered':
      return [failed(name, 'the issuer signed another bundle: this one was changed afterwards')];
    case 'malformed':
      return [failed(name, "the signature is malformed, or its key is not named as an issuer's")];
  }
}

/** True if a trusted key has signed the bundle, so that its claims are the issuer's statements. */
export function isStatedByIssuer(checks: readonly Check[]): boolean {
  return checks.some(({ name, outcome }) => name === 'issuer signature' && outcome === 'ok');
}

function unknown(by: string, known: readonly ReadKey[]): string {
  return known.length === 0
    ? `the bundle states a signature by ${by}, which was not verified: name the issuer's keys with --issuer-key`
    : `the bundle states a signature by ${by}, which is none of the given keys. The key may be newer, or false: ask the issuer for all keys`;
}
