import { closeTimeIso } from '../../domain/ledger/close-time.ts';
import type { Outcome, SignedTransaction } from '../../domain/ledger/transaction.ts';
import type { EventStore } from '../../event-store/event-store.ts';
import { VersionConflict } from '../../event-store/version-conflict.ts';
import type { LedgerTransaction, ValidatedLedger } from '../../ledger/contract.ts';
import { readTransactionResult } from '../../ledger/transaction-result.ts';
import type { AccountFence } from './account-fence.ts';
import type { Anchorable } from './anchorable.ts';
import type { Backlog } from './backlog.ts';
import { gapFillSettled, type Outstanding } from './outstanding.ts';

const meta = { actor: 'anchoring' } as const;

/** What became of one outstanding transaction. */
export type Fate =
  | {
      readonly fate: 'validated';
      readonly ledger: ValidatedLedger;
      readonly transaction: LedgerTransaction;
    }
  | { readonly fate: 'absent' }
  /** An operator declared the ledger gone: nothing can be or become of it there. */
  | { readonly fate: 'ledgerGone' };

export interface SettlementDeps {
  readonly store: EventStore;
  readonly backlog: Backlog;
  /** The fence of the account that has signed, and the position up to which the log is folded. */
  readonly fenceOf: (signed: SignedTransaction) => AccountFence;
  readonly position: () => number;
}

/**
 * Records the fate of outstanding transactions in the log, and folds it into the backlog. May be
 * repeated after any failure: what is on record already is left alone. A gap fill whose account's
 * stream is ahead of what was folded stays outstanding, since it may be settled there.
 */
export async function settle(
  deps: SettlementDeps,
  fates: readonly { readonly item: Outstanding; readonly fate: Fate }[],
): Promise<void> {
  const gapFills = fates.filter(({ item }) => item.kind === 'gapFill');
  await Promise.all(
    fates.map(({ item, fate }) =>
      item.kind === 'anchor' ? settleAnchor(deps, item.of, outcomeOf(item.signed, fate)) : null,
    ),
  );
  // They share the account's stream, so one after the other.
  for (const { item, fate } of gapFills) {
    if (item.kind === 'gapFill') await settleGapFill(deps, item, fate);
  }
}

async function settleAnchor(
  { store }: SettlementDeps,
  of: Anchorable,
  outcome: Outcome,
): Promise<void> {
  const entry = of.settled(outcome);
  if (entry !== null) {
    try {
      const { eventIds } = await store.append([entry], meta);
      of.appended(entry, eventIds);
      return;
    } catch (error) {
      if (!(error instanceof VersionConflict)) throw error;
    }
  }
  // More belongs to it, or somebody else appended to its stream: decide on what that says.
  await of.decide(store, outcome);
}

function outcomeOf({ ledgerId, transactionHash }: SignedTransaction, fate: Fate): Outcome {
  if (fate.fate !== 'validated') return { outcome: fate.fate, transactionHash };
  const { ledger, transaction } = fate;
  const { engineResult, transactionIndex } = readTransactionResult(transaction.metadata);
  if (engineResult !== 'tesSUCCESS') return { outcome: 'failed', transactionHash, engineResult };
  const validated = {
    ledgerId,
    transactionHash,
    ledgerIndex: ledger.index,
    ledgerHash: ledger.hash,
    closeTime: ledger.closeTime,
    closeTimeIso: closeTimeIso(ledger.closeTime),
    transactionIndex,
    metadata: transaction.metadata,
    ledgerHeader: ledger.header,
  };
  return { outcome: 'anchored', transaction: validated };
}

async function settleGapFill(
  { store, backlog, fenceOf, position }: SettlementDeps,
  item: Extract<Outstanding, { kind: 'gapFill' }>,
  { fate }: Fate,
): Promise<void> {
  const fence = fenceOf(item.signed);
  await fence.read(store);
  const expectedVersion = fence.versionAt(position());
  // Somebody else may have settled it since its fate was read.
  if (expectedVersion === null || !backlog.isOpenGapFill(item.signed.transactionHash)) return;
  const { stream } = fence;
  const event = gapFillSettled(item.gapFill, fate);
  const entry = { organisationId: null, stream, expectedVersion, events: [event] };
  try {
    await store.append([entry], { ...meta, causedBy: item.gapFill.eventId });
  } catch (error) {
    fence.forget();
    // Somebody else holds the account and settles it; the log will tell.
    if (error instanceof VersionConflict) return;
    throw error;
  }
  fence.appended(1);
  backlog.gapFillSettled(stream, expectedVersion + 1, event.data);
}
