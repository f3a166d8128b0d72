import { concatBytes, hexToBytes } from '@noble/hashes/utils.js';
import { BadEvidence } from '../evidence/bad-evidence.ts';
import { nodeKey } from '../evidence/base58.ts';
import { countValidations } from '../evidence/count-validations.ts';
import { type LedgerHeader, readHeader } from '../evidence/ledger-header.ts';
import { trustedPublishedList } from '../evidence/trusted-list.ts';
import { readValidation, type Validation } from '../evidence/validation.ts';
import { type Attestation, demandQuorum } from '../evidence/verify-attestation.ts';
import type { Xpop } from './xpop.ts';
import { followProof } from './xpop-proof.ts';

/** A transaction that a quorum of a trusted publisher's validators has validated. */
export interface XpopFinding extends Attestation {
  readonly ledger: LedgerHeader;
  readonly transaction: { readonly blob: Uint8Array; readonly metadata: Uint8Array };
}

/**
 * Verifies an XPOP against the master keys of trusted publishers (upper-case hex). Its validations
 * must stand under the validator's signing key or master key. Stricter than XLS-41 asks for: a
 * quorum is 80 %, rounded up, and the list was in force when the ledger closed. Throws
 * `BadEvidence`.
 */
export function verifyXpop(xpop: Xpop, publisherKeys: readonly string[]): XpopFinding {
  const ledger = headerOf(xpop);
  const blob = hexToBytes(xpop.transaction.blob);
  const metadata = hexToBytes(xpop.transaction.meta);
  const root = followProof({ blob, metadata }, xpop.transaction.proof);
  if (root !== ledger.transactionRoot) {
    throw new BadEvidence('path', 'the tree leads to another root than the ledger states');
  }
  const { data, unl } = xpop.validation;
  const list = trustedPublishedList(unl, ledger.closeTime, publisherKeys);
  const labels = new Map<Validation, string>();
  for (const [label, hex] of Object.entries(data)) {
    const validation = readOrNull(hex);
    if (validation !== null) labels.set(validation, label);
  }
  const count = countValidations(ledger, [...labels.keys()], list, {
    accepts: (validation, masterKey) => {
      const keys = [validation.signingKey, hexToBytes(masterKey)];
      return keys.some((key) => nodeKey(key) === labels.get(validation));
    },
  });
  demandQuorum(ledger, count);
  return { ledger, transaction: { blob, metadata }, list, ...count };
}

function headerOf({ ledger }: Xpop): LedgerHeader {
  const { index, coins, phash, txroot, acroot, pclose, close, cres, flags } = ledger;
  if (BigInt(coins) >= 2n ** 64n) throw new BadEvidence('malformed', 'ledger.coins is too large');
  const numbers = new DataView(new ArrayBuffer(22));
  numbers.setUint32(0, index);
  numbers.setBigUint64(4, BigInt(coins));
  numbers.setUint32(12, pclose);
  numbers.setUint32(16, close);
  numbers.setUint8(20, cres);
  numbers.setUint8(21, flags);
  const bytes = new Uint8Array(numbers.buffer);
  const hashes = [phash, txroot, acroot].map(hexToBytes);
  return readHeader(concatBytes(bytes.subarray(0, 12), ...hashes, bytes.subarray(12)));
}

/** One malformed validation counts for nothing, and the others may still be a quorum. */
function readOrNull(hex: string): Validation | null {
  try {
    return readValidation(hexToBytes(hex));
  } catch (error) {
    if (error instanceof BadEvidence) return null;
    throw error;
  }
}
