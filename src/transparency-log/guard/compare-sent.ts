import type { AnchoringSource } from '../../anchoring-state/read-anchoring.ts';
import { readCheckpointMemo } from '../../domain/log/checkpoint-memo.ts';
import { parseOrigin } from '../../domain/log/origin.ts';
import { readProofMemo } from '../../domain/proof/memo.ts';
import type { LedgerGateway, SentTransaction } from '../../ledger/contract.ts';
import { sentBy } from '../../ledger/sent-by.ts';
import { knownSignatures, newestApplied } from '../known-signatures.ts';
import { readSigningState, requireSameServers, type SigningState } from './signing-state.ts';
import type { Verdicts } from './verdict.ts';

/** Parts to compare: the log, and the accounts on a ledger that sign. */
export interface SentTransactions extends AnchoringSource {
  readonly gateway: LedgerGateway;
  /** Configured accounts. Retired accounts and accounts with open transactions are checked too. */
  readonly addresses: readonly string[];
}

/** Maximum number of history pages to read for an account that the log has never signed with. */
const pagesOfUnknown = 10;

/**
 * Compares the transactions of our accounts on the ledger with the signatures in the log. A
 * transaction with a memo of ours that the log does not know is `forgotten`. The log is read after
 * the ledger has answered, so that concurrent signatures of another process are known.
 *
 * An account that the log has never signed with may have served another log. Of its transactions,
 * only those that anchor an open proof of this log count as forgotten.
 *
 * Costs one request for each account if everything was settled. Rejects with `LedgerUnavailable`
 * and `StoreUnavailable`. Rejects with `OtherLedger` or `UnrecognisedLedger` if the servers show
 * another ledger than the log knows.
 */
export async function compareSent(compared: SentTransactions): Promise<Verdicts['sending']> {
  const state = await readSigningState(compared, compared.gateway);
  for (const account of new Set([...compared.addresses, ...state.accounts])) {
    const found = await compareAccount(compared, state, account);
    requireSameServers(compared.gateway, state);
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
  // Sequences that were taken after the settled ones are never below them.
  const from = applied > 0 ? applied : lowest - 1;
  const matches = highest > 0 ? isOurs(logId) : anchorsOpenProof(state);
  if (next === 0 || (highest > 0 && next <= from + 1) || matches === null)
    return { status: 'agrees', last: null };
  const ours: SentTransaction[] = [];
  let seenFrom = next;
  let searchedFrom = 0;
  const most = highest > 0 ? Number.POSITIVE_INFINITY : pagesOfUnknown;
  const history = sentBy(gateway, account, { most });
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
    if (matches(value)) ours.push(value);
  }
  if (ours.length > 0) {
    // Another process may have signed these since. If so, it recorded them before sending.
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

type Matches = (sent: SentTransaction) => boolean;

/** Matches a proof of any log, or a checkpoint of this log. */
function isOurs(logId: string): Matches {
  return ({ memos }) => {
    const checkpoint = readCheckpointMemo(memos);
    if (checkpoint !== null) return parseOrigin(checkpoint.origin)?.logId === logId;
    return readProofMemo(memos).wellFormed;
  };
}

/** Matches a successful transaction that anchors an open proof; null if no proof is open. */
function anchorsOpenProof(state: SigningState): Matches | null {
  const open = state.openCommitments();
  if (open.size === 0) return null;
  return ({ engineResult, memos }) => {
    const { memo, wellFormed } = readProofMemo(memos);
    return engineResult === 'tesSUCCESS' && wellFormed && open.has(memo?.fileHash);
  };
}
