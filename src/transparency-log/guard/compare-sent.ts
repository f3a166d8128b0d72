import { readCheckpointMemo } from '../../domain/log/checkpoint-memo.ts';
import { parseOrigin } from '../../domain/log/origin.ts';
import { readProofMemo } from '../../domain/proof/memo.ts';
import type { EventStore } from '../../event-store/event-store.ts';
import type { LedgerGateway, SentTransaction } from '../../ledger/contract.ts';
import { knownSignatures, newestApplied } from './known-signatures.ts';
import { sentBy } from './sent-by.ts';
import type { Verdicts } from './verdict.ts';

/** The log's own account of what it signs on a network. */
export interface SigningState {
  readonly logId: string;
  /** Empty where the log knows of no ledger of the network yet. */
  readonly ledgerId: string;
  /** Accounts that are retired, or of which transactions are open. */
  readonly accounts: readonly string[];
  /** Commitments and file hashes that open proofs are to anchor. */
  openCommitments(): ReadonlySet<unknown>;
}

export interface SentTransactions {
  readonly store: Pick<EventStore, 'readNewest' | 'readStreams'>;
  readonly gateway: Pick<LedgerGateway, 'network' | 'account' | 'sent'>;
  /**
   * Reads the log. Rejects with `LedgerUnavailable`, `OtherLedger` or `UnrecognisedLedger` where the
   * servers do not show the ledger that the log knows.
   */
  readonly signing: () => Promise<SigningState>;
  /** Those that are configured; those that the log has open transactions of are looked at too. */
  readonly addresses: readonly string[];
}

/** Of an account of which the log knows nothing no more pages of its history are looked at. */
const pagesOfUnknown = 10;

/**
 * Compares what the ledger has of our accounts with what the log has signed: a transaction with a memo
 * of ours that it does not know was signed by a log that has forgotten it. The log is read after the
 * ledger has answered, so that what another process signs meanwhile is known. An account that the log
 * has never signed with may have served another log: of its transactions only those that say what an
 * open proof of this log says are taken for forgotten.
 *
 * Where everything was settled it costs one request for each account. Rejects with `LedgerUnavailable`,
 * `StoreUnavailable`, and with `OtherLedger` or `UnrecognisedLedger` where the servers do not show the
 * ledger that the log knows.
 */
export async function compareSent(compared: SentTransactions): Promise<Verdicts['sending']> {
  const state = await compared.signing();
  for (const account of new Set([...compared.addresses, ...state.accounts])) {
    const found = await compareAccount(compared, state, account);
    if (found.status !== 'agrees') return found;
  }
  return { status: 'agrees', last: null };
}

async function compareAccount(
  { store, gateway }: SentTransactions,
  state: SigningState,
  account: string,
): Promise<Verdicts['sending']> {
  const { logId, ledgerId } = state;
  const of = { logId, ledgerId, account };
  const next = (await gateway.account(account, 0))?.sequence ?? 0;
  const { highest, lowest, applied } = await newestApplied(store, of);
  // Whatever took a Sequence after those that were settled takes one that is not below them.
  const from = applied > 0 ? applied : lowest - 1;
  const says = highest > 0 ? isOurs(logId) : saysWhatIsOpen(state);
  if (next === 0 || (highest > 0 && next <= from + 1) || says === null)
    return { status: 'agrees', last: null };
  const ours: SentTransaction[] = [];
  let seenFrom = next;
  let searchedFrom = 0;
  const most = highest > 0 ? Number.POSITIVE_INFINITY : pagesOfUnknown;
  const history = sentBy(gateway, account, most);
  for (;;) {
    const { value, done } = await history.next();
    if (done) {
      searchedFrom = value.searchedFrom;
      break;
    }
    if (value.sequence !== null) {
      if (value.sequence <= from) break;
      seenFrom = value.sequence;
    }
    if (says(value)) ours.push(value);
  }
  if (ours.length > 0) {
    // Another process may have signed them since; that was on record before it was sent.
    const { hashes } = await knownSignatures(store, of, () => Math.max(0, from));
    const { network } = gateway;
    const transactions = ours.filter(({ hash }) => !hashes.has(hash));
    if (transactions.length > 0) return { status: 'forgotten', network, account, transactions };
  }
  const isSeen = highest === 0 || seenFrom <= from + 1;
  return isSeen
    ? { status: 'agrees', last: null }
    : { status: 'history-ends', network: gateway.network, account, searchedFrom };
}

type Says = (sent: SentTransaction) => boolean;

/** A proof, of whichever log, or a checkpoint of this one. */
function isOurs(logId: string): Says {
  return ({ memos }) => {
    const checkpoint = readCheckpointMemo(memos);
    if (checkpoint !== null) return parseOrigin(checkpoint.origin)?.logId === logId;
    return readProofMemo(memos).wellFormed;
  };
}

/** Null where no proof is open. */
function saysWhatIsOpen(state: SigningState): Says | null {
  const open = state.openCommitments();
  if (open.size === 0) return null;
  return ({ engineResult, memos }) => {
    const { memo, wellFormed } = readProofMemo(memos);
    return engineResult === 'tesSUCCESS' && wellFormed && open.has(memo?.fileHash);
  };
}
