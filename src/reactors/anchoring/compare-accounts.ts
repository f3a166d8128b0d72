import type { ForgottenFinding } from '../../commands/anchored-log-differs.ts';
import { sentBy } from '../../commands/compare-anchored.ts';
import { knownSignatures, newestApplied } from '../../commands/known-signatures.ts';
import { readCheckpointMemo } from '../../domain/log/checkpoint-memo.ts';
import { parseOrigin } from '../../domain/log/origin.ts';
import { readProofMemo } from '../../domain/proof/memo.ts';
import type { LedgerGateway, SentTransaction } from '../../ledger/contract.ts';
import { LedgerUnavailable } from '../../ledger/ledger-unavailable.ts';
import type { AnchoringFold } from './anchoring-fold.ts';
import { confirmLedger } from './ledger-identity.ts';
import { type AnchoringSource, foldAnchoring } from './read-anchoring.ts';

export interface ComparedAccounts extends AnchoringSource {
  readonly gateway: LedgerGateway;
  /** Those that are configured; those that the log has open transactions of are looked at too. */
  readonly addresses: readonly string[];
}

export type AccountsFinding =
  | { readonly status: 'agrees' }
  | ForgottenFinding
  /** The servers' history does not tell what the account sent since the log knows of. */
  | { readonly status: 'untold'; readonly account: string; readonly searchedFrom: number };

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
export async function compareAccounts(compared: ComparedAccounts): Promise<AccountsFinding> {
  const { gateway, addresses } = compared;
  const fold = await foldAnchoring(compared, gateway.network);
  await requireKnownLedger(gateway, fold);
  const open = Object.keys(fold.summary.outstanding);
  for (const account of new Set([...addresses, ...fold.retired, ...open])) {
    const found = await compareAccount(compared, fold, account);
    if (found.status !== 'agrees') return found;
  }
  return { status: 'agrees' };
}

async function requireKnownLedger(gateway: LedgerGateway, { ledger }: AnchoringFold) {
  const status = gateway.current();
  if (!status.connected) throw new LedgerUnavailable(status.reason);
  if (ledger === null || (await confirmLedger(gateway, ledger, status.tip))) return;
  throw new LedgerUnavailable(`the servers of ${gateway.network} are behind what was seen`);
}

async function compareAccount(
  { store, gateway }: ComparedAccounts,
  fold: AnchoringFold,
  account: string,
): Promise<AccountsFinding> {
  const { logId } = fold.backlog.checkpoint.log.state;
  const of = { logId, ledgerId: fold.ledger?.ledgerId ?? '', account };
  const next = (await gateway.account(account, 0))?.sequence ?? 0;
  const { highest, lowest, applied } = await newestApplied(store, of);
  // Whatever took a Sequence after those that were settled takes one that is not below them.
  const from = applied > 0 ? applied : lowest - 1;
  const says = highest > 0 ? isOurs(logId) : saysWhatIsOpen(fold);
  if (next === 0 || (highest > 0 && next <= from + 1) || says === null) return { status: 'agrees' };
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
  return isSeen ? { status: 'agrees' } : { status: 'untold', account, searchedFrom };
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
function saysWhatIsOpen({ backlog }: AnchoringFold): Says | null {
  const open = new Set<unknown>();
  for (const { state } of [...backlog.pending(), ...backlog.processing()]) {
    open.add(state.request.commitment ?? state.request.fileHash);
  }
  if (open.size === 0) return null;
  return ({ engineResult, memos }) => {
    const { memo, wellFormed } = readProofMemo(memos);
    return engineResult === 'tesSUCCESS' && wellFormed && open.has(memo?.fileHash);
  };
}
