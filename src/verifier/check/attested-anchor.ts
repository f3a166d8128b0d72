import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js';
import type { Bundle } from '../bundle/bundle.ts';
import { BadEvidence } from '../evidence/bad-evidence.ts';
import { accountAddress } from '../evidence/base58.ts';
import { knownPublishers, type Publisher } from '../evidence/known-publishers.ts';
import { attestationOf, isAttested } from './attestation-of.ts';

/** Validators that signed the ledger of an anchor, and the list that names them. */
export interface AttestedAnchor {
  readonly publisher: string;
  readonly listSequence: number;
  readonly listed: number;
  readonly counted: number;
}

/**
 * The word of the ledger's validators for a bundle's anchor: a validated ledger holds a transaction
 * of the stated account that only carries the stated memo, and succeeded. Null if anything of it is
 * not shown by a well-known publisher's validators. The other parts of the bundle are not checked.
 */
export function attestedAnchor(
  bundle: Bundle,
  publishers: readonly Publisher[] = knownPublishers,
): AttestedAnchor | null {
  const { anchor, evidence } = bundle;
  if (!isAttested(bundle) || anchor.standalone || !carriesMemo(bundle)) return null;
  if (!evidence.metadata.endsWith(succeeded)) return null;
  const known = publishers.filter(({ network }) => network === anchor.network);
  try {
    const { list, listed, counted } = attestationOf(
      bundle,
      known.map(({ key }) => key),
    );
    const publisher = known.find(({ key }) => key === list.publisherKey)?.name ?? '';
    return { publisher, listSequence: list.sequence, listed, counted: counted.length };
  } catch (error) {
    if (error instanceof BadEvidence) return null;
    throw error;
  }
}

/** Field TransactionResult (tesSUCCESS), the last one of every metadata of an AccountSet. */
const succeeded = '031000';

/**
 * True if the blob has exactly the fields of an anchor, in the ledger's order (`docs/bundle-format.md`,
 * "The bytes").
 */
function carriesMemo({ anchor, evidence: { blob, memo } }: Bundle): boolean {
  const begin = /^12000324.{8}201B.{8}68.{16}7321.{66}74(..)/.exec(blob);
  if (begin === null) return false;
  const rest = blob.slice(begin[0].length + 2 * Number.parseInt(begin[1] ?? '', 16));
  const account = rest.slice(4, 44);
  const fields = [field('7C', memo.type), field('7D', memo.data), field('7E', memo.format)];
  return (
    rest === `8114${account}F9EA${fields.join('')}E1F1` &&
    accountAddress(hexToBytes(account)) === anchor.account
  );
}

function field(header: string, text: string): string {
  const bytes = new TextEncoder().encode(text);
  const { length } = bytes;
  const rest = length - 193;
  const prefix = length <= 192 ? [length] : [193 + (rest >> 8), rest & 255];
  return `${header}${bytesToHex(Uint8Array.from(prefix))}${bytesToHex(bytes)}`.toUpperCase();
}
