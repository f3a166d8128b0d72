import { bytesToHex } from '@noble/hashes/utils.js';
import { nodeKey } from '../evidence/base58.ts';
import { countValidations } from '../evidence/count-validations.ts';
import type { LedgerHeader } from '../evidence/ledger-header.ts';
import { followPath, type TransactionPath, type TreeItem } from '../evidence/transaction-path.ts';
import { trustedPublishedList } from '../evidence/trusted-list.ts';
import type { Validation } from '../evidence/validation.ts';
import type { PublishedList } from '../evidence/validator-list.ts';
import { demandQuorum } from '../evidence/verify-attestation.ts';
import type { Xpop } from './xpop.ts';
import { listProof, treeProof } from './xpop-proof.ts';

/** Evidence of a transaction in a ledger that has a quorum of its own. */
export interface XpopEvidence {
  readonly item: TreeItem;
  readonly path: TransactionPath;
  readonly header: LedgerHeader;
  readonly validations: readonly Validation[];
  readonly list: PublishedList;
}

/**
 * Writes evidence as an XPOP. Only validations that readers can check by the list alone are in it:
 * XLS-41 has no room for newer manifests, nor for a chain of headers. Throws `BadEvidence` if the
 * rest is no quorum, and any other error for a path of another ledger.
 */
export function buildXpop(
  { item, path, header, validations, list }: XpopEvidence,
  publisherKeys: readonly string[],
  form: 'list' | 'tree' = 'list',
): Xpop {
  if (followPath(item, path) !== header.transactionRoot) {
    throw new Error(`the path does not lead to ledger ${header.index}`);
  }
  const trusted = trustedPublishedList(list, header.closeTime, publisherKeys);
  const count = countValidations(header, validations, trusted);
  demandQuorum(header, count);
  const data = count.counted.map(({ validation: { signingKey, bytes } }) => {
    return [nodeKey(signingKey), upperHex(bytes)] as const;
  });
  return {
    ledger: ledgerOf(header),
    validation: {
      data: Object.fromEntries(data.sort(([a], [b]) => (a < b ? -1 : 1))),
      unl: list,
    },
    transaction: {
      blob: upperHex(item.blob),
      meta: upperHex(item.metadata),
      proof: form === 'list' ? listProof(item, path) : treeProof(item, path),
    },
  };
}

function ledgerOf({ bytes, index, closeTime }: LedgerHeader): Xpop['ledger'] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const hashAt = (at: number) => upperHex(bytes.subarray(at, at + 32));
  return {
    index,
    coins: String(view.getBigUint64(4)),
    phash: hashAt(12),
    txroot: hashAt(44),
    acroot: hashAt(76),
    pclose: view.getUint32(108),
    close: closeTime,
    cres: view.getUint8(116),
    flags: view.getUint8(117),
  };
}

function upperHex(bytes: Uint8Array): string {
  return bytesToHex(bytes).toUpperCase();
}
