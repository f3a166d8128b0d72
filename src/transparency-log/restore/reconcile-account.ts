import { confirmLedger } from '../../anchoring-state/ledger-identity.ts';
import { foldAnchoring } from '../../anchoring-state/read-anchoring.ts';
import { joinLedger } from '../../commands/join-ledger.ts';
import { closeTimeIso } from '../../domain/ledger/close-time.ts';
import { readCheckpointMemo } from '../../domain/log/checkpoint-memo.ts';
import { logDecider } from '../../domain/log/decider.ts';
import type { LostTransaction } from '../../domain/log/events.ts';
import type { LogState } from '../../domain/log/state.ts';
import type { Network } from '../../domain/network.ts';
import { readProofMemo } from '../../domain/proof/memo.ts';
import { OperatorError } from '../../errors/operator-error.ts';
import type { LedgerGateway, SentTransaction } from '../../ledger/contract.ts';
import { handleLog } from '../handle-log.ts';
import { requireConnected } from './await-submitted.ts';
import { OpenCommitments, recoverProof } from './recover-proofs.ts';
import type { RestoredLog, RestoredNetwork } from './restored-log.ts';
import { unknownTransactions } from './unknown-transactions.ts';

/**
 * Transactions on the ledger of one of our accounts that the log does not know, the oldest first.
 */
export interface AccountHistory {
  readonly network: Network;
  readonly gateway: LedgerGateway;
  readonly ledgerId: string;
  readonly account: string;
  readonly transactions: readonly SentTransaction[];
}

const lostAtOnce = 1_000;

/** Unknown transactions of every account of a network, including accounts that signed earlier. */
export async function unreconciled(
  log: RestoredLog,
  { gateway, keys, checkpointKey }: RestoredNetwork,
  { logId, anchored }: LogState,
): Promise<readonly AccountHistory[]> {
  const { network } = gateway;
  const ledgerId = await knownLedger(log, gateway);
  const fold = await foldAnchoring(log, network);
  const accounts = new Set([
    ...keys.map(({ address }) => address),
    ...(checkpointKey === null ? [] : [checkpointKey.address]),
    ...(anchored?.ledgerId === ledgerId ? [anchored.account] : []),
    ...fold.retired,
    ...Object.keys(fold.summary.outstanding),
  ]);
  const histories: AccountHistory[] = [];
  for (const account of accounts) {
    const of = { logId, ledgerId, account };
    const transactions = await unknownTransactions(log.store, gateway, of);
    histories.push({ network, gateway, ledgerId, account, transactions });
  }
  // A server that connected meanwhile may show another ledger, and have answered.
  await knownLedger(log, gateway);
  return histories;
}

/** The ledger that the servers show, which must be the ledger that the log knows. */
async function knownLedger(log: RestoredLog, gateway: LedgerGateway): Promise<string> {
  const { network } = gateway;
  const status = requireConnected(gateway);
  const { ledger } = await foldAnchoring(log, network);
  if (ledger === null) {
    const tip = await gateway.shown(status.tip);
    if (tip === null) {
      throw new OperatorError(
        `no server of ${network} shows the newest ledger that it reports: run the command again later`,
      );
    }
    await joinLedger(log.store, { ...status, tip, network }, log.meta);
    return knownLedger(log, gateway);
  }
  if (await confirmLedger(gateway, ledger, status.tip)) return ledger.ledgerId;
  throw new OperatorError(
    `the servers of ${network} are behind the newest known ledger: wait until they have caught up, and run the command again`,
  );
}

/**
 * Records each transaction: with its proof if the log has an open one, otherwise as lost. The
 * histories are those of all accounts of a network. A revision may be anchored by another account
 * than the one before, and is recovered after it. So the oldest transaction comes first.
 */
export async function reconcileAccounts(
  log: RestoredLog,
  histories: readonly AccountHistory[],
  onDone: () => void,
): Promise<void> {
  const [first] = histories;
  if (first === undefined) return;
  const { store, meta } = log;
  const { network, gateway, ledgerId } = first;
  await knownLedger(log, gateway);
  const { backlog } = await foldAnchoring(log, network);
  const open = new OpenCommitments(backlog);
  const lost = new Map<string, LostTransaction[]>();
  const closed = new CloseTimes(gateway);
  const all = histories.flatMap(({ account, transactions }) =>
    transactions.map((sent) => ({ account, sent })),
  );
  for (const { account, sent } of all.sort((a, b) => a.sent.ledgerIndex - b.sent.ledgerIndex)) {
    const deps = { store, gateway, meta, ledgerId };
    if (!(await recoverProof(deps, open, sent, account))) {
      const transaction = lostFrom(sent, await closed.of(sent));
      const others = lost.get(account);
      if (others === undefined) lost.set(account, [transaction]);
      else others.push(transaction);
    }
    onDone();
  }
  for (const [account, transactions] of lost) {
    for (let start = 0; start < transactions.length; start += lostAtOnce) {
      const some = transactions.slice(start, start + lostAtOnce);
      await handleLog(
        store,
        (state) => logDecider.loseTransactions(state, { network, account }, some),
        meta,
      );
    }
  }
}

function lostFrom(
  { hash, ledgerIndex, engineResult, memos }: SentTransaction,
  closeTimeIso: string | null,
): LostTransaction {
  const isProof = readProofMemo(memos).wellFormed;
  const isCheckpoint = readCheckpointMemo(memos) !== null;
  const anchored = isProof ? 'proof' : isCheckpoint ? 'checkpoint' : 'other';
  return { transactionHash: hash, ledgerIndex, closeTimeIso, engineResult, anchored };
}

/** Close times of ledgers. Each ledger is looked up once, by one of its transactions. */
class CloseTimes {
  readonly #gateway: Pick<LedgerGateway, 'lookUp'>;
  readonly #known = new Map<number, string | null>();

  constructor(gateway: Pick<LedgerGateway, 'lookUp'>) {
    this.#gateway = gateway;
  }

  /** Returns the close time in ISO 8601; null if no server knows the transaction. */
  async of({ hash, ledgerIndex }: SentTransaction): Promise<string | null> {
    const known = this.#known.get(ledgerIndex);
    if (known !== undefined) return known;
    const found = await this.#gateway.lookUp(hash).catch(() => null);
    const closed = found?.found === 'validated' ? closeTimeIso(found.closeTime) : null;
    this.#known.set(ledgerIndex, closed);
    return closed;
  }
}
