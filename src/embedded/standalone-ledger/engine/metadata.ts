import { zeroHash } from '../codec/hashes.ts';
import type { JsonObject } from '../codec/json.ts';
import type { Transaction } from '../codec/parse-transaction.ts';
import type { LedgerEntry } from './ledger-entry.ts';
import type { Result } from './result.ts';
import type { View } from './view.ts';

/** Fields that metadata never lists as final, previous or new. */
const unlisted = new Set(['LedgerEntryType', 'PreviousTxnID', 'PreviousTxnLgrSeq', 'Indexes']);

/**
 * Builds the metadata of an applied transaction from its changes. Also sets PreviousTxnID and
 * PreviousTxnLgrSeq of the changed entries ("threading"). Nodes are ordered by index.
 */
export function threadAndDescribe(
  changes: View,
  transaction: Transaction,
  result: Result,
  at: { readonly ledgerIndex: number; readonly transactionIndex: number },
): JsonObject {
  const nodes: JsonObject[] = [];
  const touched = [...changes.changes()].sort(([left], [right]) => (left < right ? -1 : 1));
  for (const [index, after] of touched) {
    const before = changes.readBase(index);
    const node = describe(index, before, after);
    if (node !== undefined) nodes.push(node);
    if (after !== undefined) {
      changes.write(index, {
        ...after,
        PreviousTxnID: transaction.hash,
        PreviousTxnLgrSeq: at.ledgerIndex,
      });
    }
  }
  return {
    AffectedNodes: nodes,
    TransactionIndex: at.transactionIndex,
    TransactionResult: result,
  };
}

function describe(
  index: string,
  before: LedgerEntry | undefined,
  after: LedgerEntry | undefined,
): JsonObject | undefined {
  const LedgerEntryType = (after ?? before)?.LedgerEntryType;
  const common = { LedgerEntryType, LedgerIndex: index };
  if (after === undefined) {
    if (before === undefined) return undefined;
    const { LedgerEntryType: _, ...FinalFields } = before;
    return { DeletedNode: { FinalFields, ...common } };
  }
  if (before === undefined) {
    return { CreatedNode: { ...common, NewFields: listed(after, (value) => !isDefault(value)) } };
  }
  const old: JsonObject = { ...before };
  const now: JsonObject = { ...after };
  const previous = listed(before, (value, name) => now[name] !== value);
  const threaded =
    old.PreviousTxnID === zeroHash
      ? {}
      : { PreviousTxnID: old.PreviousTxnID, PreviousTxnLgrSeq: old.PreviousTxnLgrSeq };
  return {
    ModifiedNode: {
      FinalFields: listed(after, () => true),
      ...common,
      ...(Object.keys(previous).length > 0 ? { PreviousFields: previous } : {}),
      ...threaded,
    },
  };
}

function listed(entry: LedgerEntry, keep: (value: unknown, name: string) => boolean): JsonObject {
  return Object.fromEntries(
    Object.entries(entry).filter(
      ([name, value]) => value !== undefined && !unlisted.has(name) && keep(value, name),
    ),
  );
}

function isDefault(value: unknown): boolean {
  return value === 0 || value === '0' || value === '';
}
