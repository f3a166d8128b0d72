import { type CheckpointMemo, readCheckpointMemo } from '../../domain/log/checkpoint-memo.ts';
import type { CheckpointOnLedger } from '../../domain/log/events.ts';
import { epochOf, parseOrigin } from '../../domain/log/origin.ts';
import type { LogState } from '../../domain/log/state.ts';
import { isOnNetwork } from '../../domain/network.ts';
import { streams } from '../../domain/streams.ts';
import type { EventStore } from '../../event-store/event-store.ts';
import type { Leaves } from '../../event-store/leaves.ts';
import type { LedgerGateway, SentTransaction } from '../../ledger/contract.ts';
import { sentBy } from '../../ledger/sent-by.ts';
import { loadLog } from '../../loading/load-log.ts';
import { rootAt } from '../tree/root-at.ts';
import type { HistoryEnds, Verdicts } from './verdict.ts';

/** Parts to compare: the database, and the accounts on the ledger that anchor checkpoints. */
export interface AnchoredLog {
  readonly store: Pick<EventStore, 'head' | 'readLog' | 'readStream' | 'readNewest'>;
  readonly leaves: Pick<Leaves, 'read'>;
  readonly gateway: Pick<LedgerGateway, 'account' | 'network' | 'sent'>;
  /** The configured account. The account of the last anchored checkpoint is checked too. */
  readonly account: string | null;
}

/**
 * Compares the log with its newest checkpoint on the ledger. The result is `history-ends` if the
 * servers' history shows no checkpoint of an account, but the account has sent more than the log
 * knows. Reads as many leaves as the checkpoint covers. Rejects with `LedgerUnavailable` and
 * `StoreUnavailable`.
 */
export async function compareAnchored(compared: AnchoredLog): Promise<Verdicts['anchoring']> {
  const { store, leaves, account } = compared;
  const log = await loadLog(store);
  if (log === null) return { status: 'agrees', last: null };
  const { state } = log;
  let last: CheckpointOnLedger | null = null;
  for (const address of accountsOf(compared, state, account)) {
    const found = await newestOf(compared, state, address);
    if ('status' in found) return found;
    if (found.last && found.last.ledgerIndex > (last?.ledgerIndex ?? 0)) last = found.last;
  }
  // A checkpoint of an earlier epoch is irrelevant: the current epoch began by naming its losses.
  const epoch = last === null ? 0 : epochOf(last.origin);
  if (last === null || epoch < state.epoch) return { status: 'agrees', last };
  const head = await store.head();
  if (head < last.size) return { status: 'anchored-beyond', last, head };
  if (epoch > state.epoch) return { status: 'anchored-later-epoch', last, epoch: state.epoch };
  const rootHash = (await rootAt(leaves, last.size))?.toString('hex') ?? '';
  return rootHash === last.rootHash
    ? { status: 'agrees', last }
    : { status: 'anchored-otherwise', last, rootHash };
}

function accountsOf(
  { gateway }: AnchoredLog,
  { anchored }: LogState,
  configured: string | null,
): ReadonlySet<string> {
  const accounts = new Set(configured === null ? [] : [configured]);
  if (anchored !== null && isOn(gateway, anchored)) accounts.add(anchored.account);
  return accounts;
}

function isOn({ network }: AnchoredLog['gateway'], { ledgerId }: { readonly ledgerId: string }) {
  return isOnNetwork(ledgerId, network);
}

async function newestOf(
  { store, gateway }: AnchoredLog,
  state: LogState,
  address: string,
): Promise<{ readonly last: CheckpointOnLedger | null } | HistoryEnds> {
  const { network } = gateway;
  const history = sentBy(gateway, address);
  for (;;) {
    const { value, done } = await history.next();
    if (done) {
      const isKnown = await isAllKnown({ store, gateway }, state, address, value.searchedFrom);
      return isKnown
        ? { last: null }
        : { status: 'history-ends', network, account: address, ...value };
    }
    const memo = ownMemo(value, state.logId);
    if (memo === null) continue;
    const { hash: transactionHash, ledgerIndex } = value;
    return { last: { ...memo, network, transactionHash, ledgerIndex } };
  }
}

/** The checkpoint of this log, of any epoch, that the transaction anchored; null if none. */
function ownMemo(sent: SentTransaction, logId: string): CheckpointMemo | null {
  const memo = sent.engineResult === 'tesSUCCESS' ? readCheckpointMemo(sent.memos) : null;
  return memo !== null && parseOrigin(memo.origin)?.logId === logId ? memo : null;
}

/**
 * Checks that no unknown checkpoint can be in ledgers before the servers' history, as far as the
 * log knows.
 */
async function isAllKnown(
  { store, gateway }: Pick<AnchoredLog, 'store' | 'gateway'>,
  { anchored }: LogState,
  address: string,
  searchedFrom: number,
): Promise<boolean> {
  if (anchored === null || anchored.account !== address || !isOn(gateway, anchored)) return true;
  // The history covers the known checkpoint's ledger without the checkpoint: the ledger was reset.
  if (searchedFrom <= anchored.ledgerIndex) return true;
  const account = await gateway.account(address, 0);
  const signed = await store.readNewest(streams.account(anchored.ledgerId, address), 50);
  const known = signed.flatMap((event) => {
    if (event.type === 'GapFillPrepared') return [event.data.sequence];
    return event.type === 'SequencesTaken' ? event.data.taken.map((one) => one.sequence) : [];
  });
  return account === null || account.sequence <= Math.max(0, ...known) + 1;
}
