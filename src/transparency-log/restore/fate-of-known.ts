import type { SignedTransaction } from '../../domain/ledger/transaction.ts';
import type { FailedTransaction } from '../../domain/proof/decider.ts';
import type { ProofState } from '../../domain/proof/state.ts';
import { OperatorError } from '../../errors/operator-error.ts';
import type { LedgerGateway } from '../../ledger/contract.ts';
import { readTransactionResult } from '../../ledger/transaction-result.ts';

export type FateGateway = Pick<LedgerGateway, 'ledger' | 'lookUp' | 'network'>;

export interface KnownFate {
  /** A transaction that the log knows has anchored the proof: only its outcome is lost. */
  readonly isAnchored: boolean;
  /** A transaction that the log knows, and that failed on the ledger. */
  readonly failed: FailedTransaction | null;
}

/**
 * Fate of the transactions with which the log knows the proof as signed, except those with the
 * Sequence of `sent`, which is on the ledger. Rejects if no server shows their ledgers: also while a
 * future ledger can contain one of them.
 */
export async function fateOfKnown(
  { gateway, ledgerId }: { readonly gateway: FateGateway; readonly ledgerId: string },
  state: ProofState,
  sent: Pick<SignedTransaction, 'account' | 'sequence'>,
): Promise<KnownFate> {
  for (const known of signaturesOf(state)) {
    // An earlier ledger is gone. Only one transaction is on the ledger with a Sequence.
    if (known.ledgerId !== ledgerId) continue;
    if (known.account === sent.account && known.sequence === sent.sequence) continue;
    const { transactionHash } = known;
    const engineResult = await resultOf(gateway, known);
    if (engineResult === null) continue;
    const isAnchored = engineResult === 'tesSUCCESS';
    return { isAnchored, failed: isAnchored ? null : { transactionHash, engineResult } };
  }
  return { isAnchored: false, failed: null };
}

/**
 * Result of a transaction on the ledger; null if it is absent. A server may remember a transaction
 * that expired, and then does not call it absent. So all ledgers that can contain it are read.
 */
async function resultOf(
  gateway: FateGateway,
  { transactionHash, minLedger, lastLedgerSequence: maxLedger }: SignedTransaction,
): Promise<string | null> {
  const found = await gateway.lookUp(transactionHash, { minLedger, maxLedger });
  if (found.found === 'validated') return found.result;
  if (found.found === 'absent' && found.searchedAll) return null;
  for (let index = minLedger + 1; index <= maxLedger; index += 1) {
    const ledger = await gateway.ledger(index);
    if (ledger === null) {
      throw new OperatorError(
        `no server of ${gateway.network} shows ledger ${index}, which may contain transaction ` +
          `${transactionHash}: add a server with more history, and run the command again`,
      );
    }
    const own = ledger.transactions.find(({ hash }) => hash === transactionHash);
    if (own) return readTransactionResult(own.metadata).engineResult;
  }
  return null;
}

/** Transactions with which the log knows the proof as signed: at most one is on the ledger. */
export function signaturesOf(state: ProofState): readonly SignedTransaction[] {
  return state.status === 'processing' ? [state.prepared, ...state.replaced] : [];
}
