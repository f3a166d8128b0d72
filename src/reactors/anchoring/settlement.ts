import type { Backlog } from '../../anchoring-state/backlog.ts';
import { closeTimeIso } from '../../domain/ledger/close-time.ts';
import type { SignedTransaction, TransactionOutcome } from '../../domain/ledger/transaction.ts';
import type { EventStore } from '../../event-store/event-store.ts';
import { VersionConflict } from '../../event-store/version-conflict.ts';
import type { LedgerTransaction, ValidatedLedger } from '../../ledger/contract.ts';
import { readTransactionResult } from '../../ledger/transaction-result.ts';
import type { AccountFence } from './account-fence.ts';
import type { Anchorable } from './anchorable.ts';
import { gapFillSettled, type Outstanding } from './outstanding.ts';

const meta = { actor: 'anchoring' } as const;

/** Fate of one outstanding transaction and those that it has replaced. */
export type Fate =
  | {
      readonly fate: 'validated';
      readonly ledger: ValidatedLedger;
      readonly transaction: LedgerTransaction;
    }
  | { readonly fate: 'absent' }
  /** An operator declared the ledger gone: the transaction can never take effect there. */
  | { readonly fate: 'ledgerGone' };

export interface SettlementDeps {
  readonly store: EventStore;
  readonly backlog: Backlog;
  /** The fence of the signing account, and the position up to which the log is folded. */
  readonly fenceOf: (signed: SignedTransaction) => AccountFence;
  readonly position: () => number;
  /** Called at once when the outcome of an item's transaction is folded. */
  readonly onSettled?: (of: Anchorable) => void;
}

/**
 * Records the fate of outstanding transactions in the log, and folds it into the backlog. Can be
 * repeated after any failure: recorded fates are left alone. A gap fill stays outstanding if its
 * account's stream is ahead of the fold, since it may be settled there.
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
  // Gap fills share the account's stream, so settle them one after the other.
  for (const { item, fate } of gapFills) {
    if (item.kind === 'gapFill') await settleGapFill(deps, item, fate);
  }
}

async function settleAnchor(
  { store, onSettled }: SettlementDeps,
  of: Anchorable,
  outcome: TransactionOutcome,
): Promise<void> {
  const entry = of.settled(outcome);
  if (entry !== null) {
    try {
      const { eventIds } = await store.append([entry], meta);
      of.appended(entry, eventIds);
      onSettled?.(of);
      return;
    } catch (error) {
      if (!(error instanceof VersionConflict)) throw error;
    }
  }
  // The outcome needs more events, or the stream has new ones: decide by its current state.
  await of.decide(store, outcome);
  onSettled?.(of);
}

function outcomeOf({ ledgerId, ...newest }: SignedTransaction, fate: Fate): TransactionOutcome {
  const transactionHash = hashOf(newest, fate);
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

/** Hash of the transaction with this fate: of one that was replaced, if that is on the ledger. */
function hashOf(newest: Pick<SignedTransaction, 'transactionHash'>, fate: Fate): string {
  return fate.fate === 'validated' ? fate.transaction.hash : newest.transactionHash;
}

function settleGapFill(
  deps: SettlementDeps,
  item: Extract<Outstanding, { kind: 'gapFill' }>,
  fate: Fate,
): Promise<void> {
  const fence = deps.fenceOf(item.signed);
  return fence.inTurn(() => appendGapFill(deps, fence, item, fate));
}

async function appendGapFill(
  { store, backlog, position }: SettlementDeps,
  fence: AccountFence,
  item: Extract<Outstanding, { kind: 'gapFill' }>,
  fate: Fate,
): Promise<void> {
  await fence.read(store);
  const expectedVersion = fence.versionAt(position());
  // The gap fill may have been settled or replaced since its fate was read.
  if (expectedVersion === null || !backlog.gapFills.has(item.signed.transactionHash)) return;
  const { stream } = fence;
  const event = gapFillSettled(item.gapFill, hashOf(item.signed, fate), fate.fate);
  const entry = { organisationId: null, stream, expectedVersion, events: [event] };
  try {
    await store.append([entry], { ...meta, causedBy: item.gapFill.eventId });
  } catch (error) {
    fence.forget();
    // Another process has locked the account and settles the gap fill; the log will show it.
    if (error instanceof VersionConflict) return;
    throw error;
  }
  fence.appended(1);
  backlog.gapFills.settled(stream, expectedVersion + 1, event.data);
}
