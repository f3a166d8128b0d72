import { closeTimeIso as isoOf } from '../../domain/ledger/close-time.ts';
import { memoOf } from '../../domain/log/checkpoint-memo.ts';
import { logDecider } from '../../domain/log/decider.ts';
import { earlierRestores, noCheckpoints } from '../../domain/log/earlier-restore.ts';
import type { EarlierRestore, LogRestored, LostTransaction } from '../../domain/log/events.ts';
import { epochOf } from '../../domain/log/origin.ts';
import type { LogState } from '../../domain/log/state.ts';
import type { Network } from '../../domain/network.ts';
import { proofOfStream, streams } from '../../domain/streams.ts';
import type { ProofId } from '../../domain/ulid.ts';
import { OperatorError } from '../../errors/operator-error.ts';
import { type LoadedLog, loadLog } from '../../loading/load-log.ts';
import { check, refuse } from '../guard/check.ts';
import { handleLog } from '../handle-log.ts';
import { rootAt } from '../tree/root-at.ts';
import { agreedSize } from './agreed-size.ts';
import { awaitSubmitted } from './await-submitted.ts';
import {
  largerOfEpochs,
  lastAnchoredOfEpochs,
  lastPublishedOfEpochs,
} from './earlier-checkpoints.ts';
import { type AccountHistory, reconcileAccounts, unreconciled } from './reconcile-account.ts';
import type { RestoredLog, RestoredNetwork } from './restored-log.ts';

export interface LostOn extends LostTransaction {
  readonly network: Network;
  readonly account: string;
}

/** Plan of a new epoch, made before anything is appended. */
export interface RestorePlan {
  readonly restored: LogRestored['data'];
  /** Position of the last event in the database. */
  readonly head: number;
  /** An interrupted run has already opened the epoch. */
  readonly isResumed: boolean;
  readonly accounts: readonly AccountHistory[];
}

/**
 * Finds the losses of the log. Compares the log first with its published checkpoints, then with the
 * transactions of our accounts on every ledger. If a loss is suspected, waits until no future
 * ledger can contain a submitted transaction.
 *
 * Resolves with null if nothing is lost. Changes nothing, except that it joins a ledger if the log
 * knows none. Rejects while a ledger does not answer, or has too little history.
 */
export async function planRestore(
  log: RestoredLog,
  networks: readonly RestoredNetwork[],
  say: (line: string) => void,
): Promise<RestorePlan | null> {
  const { store, leaves, db, published, now = () => new Date() } = log;
  const loaded = await loadLog(store);
  if (loaded === null)
    throw new OperatorError('this database has no log: there is nothing to restore');
  const { state } = loaded;
  const traces = { store, leaves, history: db, published };
  const finding = refuse('other-log', await check('publishing', traces));
  const last = 'last' in finding ? finding.last : null;
  const marks = await published.readSubmitted();
  const hasFinding = finding.status !== 'agrees';
  if (hasFinding)
    for (const { gateway } of networks) await awaitSubmitted(gateway, marks, say, now);
  const onLedgers = await Promise.all(networks.map((network) => lastAnchored(log, network)));
  const anchored = onLedgers.flatMap((each) => each.last ?? []);
  const newest = anchored.reduce<Anchored | null>(later, null);
  const forgotten = await Promise.all(networks.map((each) => hasForgotten(log, each)));
  const differs =
    hasFinding ||
    state.restoring !== null ||
    onLedgers.some(({ differs: one }) => one) ||
    forgotten.some(Boolean);
  if (!differs) return null;
  // The storage was restored with the database. A run that opened an epoch has already waited.
  if (!hasFinding && state.restoring === null)
    for (const { gateway } of networks) await awaitSubmitted(gateway, 'unknown', say, now);
  const found = await Promise.all(networks.map((each) => unreconciled(log, each, state)));
  const accounts = found.flat();
  if (state.restoring !== null) {
    return { restored: state.restoring, head: await store.head(), isResumed: true, accounts };
  }
  const keptSize = await agreedSize(traces, finding);
  const epochs = [last, newest, ...marks].map((each) => epochOf(each?.origin ?? ''));
  const epoch = Math.max(state.epoch, ...epochs) + 1;
  const restored = {
    epoch,
    keptSize,
    keptRootHash: (await rootAt(leaves, keptSize))?.toString('hex') ?? '',
    published: last === null ? null : memoOf(last),
    anchored: newest,
    reached: finding.status === 'behind' ? finding.position : null,
    earlier: await restoresBefore(epoch, log, state, networks),
  };
  return { restored, head: await store.head(), isResumed: false, accounts };
}

/** All restores before the one that begins the epoch, also those that this database has lost. */
async function restoresBefore(
  epoch: number,
  { store, published }: RestoredLog,
  { logId, anchored }: LogState,
  networks: readonly RestoredNetwork[],
): Promise<readonly EarlierRestore[]> {
  const own = await store.readStream(streams.log(logId));
  const recorded = own.flatMap((event) => (event.type === 'LogRestored' ? [event.data] : []));
  const nothing = { published: noCheckpoints, anchored: noCheckpoints };
  const onRecord = earlierRestores(epoch, recorded, nothing);
  if (onRecord.every(({ keptSize }) => keptSize !== null)) return onRecord;
  const onLedgers = await Promise.all(
    networks.map(({ gateway, checkpointKey }) => {
      const accounts = new Set([checkpointKey?.address ?? [], anchored?.account ?? []].flat());
      return lastAnchoredOfEpochs(gateway, [...accounts], logId);
    }),
  );
  return earlierRestores(epoch, recorded, {
    published: await lastPublishedOfEpochs(published, logId),
    anchored: largerOfEpochs(onLedgers, logId),
  });
}

/** Outcome of all runs of a restore. */
export interface Reconciled {
  readonly recovered: number;
  /** Proofs that were given up before, as the transactions of later revisions show. */
  readonly givenUp: readonly ProofId[];
  readonly lost: readonly LostOn[];
}

/**
 * Opens the new epoch and reconciles our accounts. Transactions of known proofs are recorded with
 * them; all others are recorded as lost. `report` is awaited before the reconciliation is recorded
 * as complete. A repeated call resumes after any failure.
 */
export async function carryOut(
  log: RestoredLog,
  { restored, accounts }: RestorePlan,
  {
    progress,
    report,
  }: {
    readonly progress: (done: number, total: number) => void;
    readonly report: (reconciled: Reconciled) => Promise<void>;
  },
): Promise<Reconciled> {
  const { store, meta } = log;
  await handleLog(store, (state) => logDecider.restore(state, restored), meta);
  const total = accounts.reduce((sum, { transactions }) => sum + transactions.length, 0);
  let done = 0;
  const ofNetworks = Map.groupBy(accounts, ({ network }) => network);
  for (const histories of ofNetworks.values()) {
    await reconcileAccounts(log, histories, () => {
      done += 1;
      progress(done, total);
    });
  }
  const reconciled = await sinceRestored(log);
  const { recovered, lost } = reconciled;
  await report(reconciled);
  await handleLog(
    store,
    (state) => logDecider.reconcile(state, { recovered, lost: lost.length }),
    meta,
  );
  return reconciled;
}

/** Sums up all runs from the events after the newest LogRestored. */
async function sinceRestored({ store }: RestoredLog): Promise<Reconciled> {
  const { state } = (await loadLog(store)) as LoadedLog;
  const own = await store.readStream(streams.log(state.logId));
  const from = own.findLast(({ type }) => type === 'LogRestored')?.position ?? 0;
  const settled = await store.readLog(from, Number.MAX_SAFE_INTEGER, ['Anchored', 'AnchorRefused']);
  const recovered = settled.filter(({ type }) => type === 'Anchored').length;
  const givenUp = settled.flatMap(({ type, stream }) =>
    type === 'AnchorRefused' ? (proofOfStream(stream) ?? []) : [],
  );
  const lost = own.flatMap((event): LostOn[] => {
    if (event.type !== 'TransactionsLost' || event.position < from) return [];
    const { network, account, transactions } = event.data;
    return transactions.map((each) => ({ network, account, ...each }));
  });
  return { recovered, givenUp, lost };
}

async function lastAnchored(
  { store, leaves }: RestoredLog,
  { gateway, checkpointKey }: RestoredNetwork,
): Promise<{ readonly last: Anchored | null; readonly differs: boolean }> {
  const account = checkpointKey?.address ?? null;
  const traces = { store, leaves, gateway, account };
  const found = refuse('history-ends', await check('anchoring', traces));
  const differs = found.status !== 'agrees';
  if (found.last === null) return { last: null, differs };
  const ledger = await gateway.ledger(found.last.ledgerIndex);
  const closeTimeIso = ledger && isoOf(ledger.closeTime);
  return { last: { ...found.last, closeTimeIso }, differs };
}

/** Checks whether the ledger has transactions of our accounts that the log has forgotten. */
async function hasForgotten(
  { store, db }: RestoredLog,
  { gateway, keys, checkpointKey }: RestoredNetwork,
): Promise<boolean> {
  const own = checkpointKey === null ? keys : [...keys, checkpointKey];
  const addresses = own.map(({ address }) => address);
  const found = refuse('history-ends', await check('sending', { store, db, gateway, addresses }));
  return found.status === 'forgotten';
}

type Anchored = NonNullable<LogRestored['data']['anchored']>;

function later(a: Anchored | null, b: Anchored): Anchored {
  if (a === null) return b;
  const [epochA, epochB] = [epochOf(a.origin), epochOf(b.origin)];
  if (epochA !== epochB) return epochB > epochA ? b : a;
  return b.size > a.size ? b : a;
}
