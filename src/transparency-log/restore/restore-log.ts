import { decideOnLog } from '../../commands/decide-on-log.ts';
import { closeTimeIso as isoOf } from '../../domain/ledger/close-time.ts';
import { memoOf } from '../../domain/log/checkpoint-memo.ts';
import { reconcileLog, restoreLog } from '../../domain/log/decide.ts';
import type { LogRestored, LostTransaction } from '../../domain/log/events.ts';
import { parseOrigin } from '../../domain/log/origin.ts';
import type { Network } from '../../domain/network.ts';
import { streams } from '../../domain/streams.ts';
import { readSigningState } from '../../reactors/anchoring/signing-state.ts';
import { check } from '../guard/check.ts';
import { HistoryTooShort } from '../guard/history-too-short.ts';
import { LogDiffers } from '../guard/log-differs.ts';
import { type LoadedLog, loadLog } from '../load-log.ts';
import { rootAt } from '../tree/root-at.ts';
import { agreedSize } from './agreed-size.ts';
import { awaitSubmitted } from './await-submitted.ts';
import { type AccountHistory, reconcileAccount, unreconciled } from './reconcile-account.ts';
import type { RestoredLog, RestoredNetwork } from './restored-log.ts';

export interface LostOn extends LostTransaction {
  readonly network: Network;
  readonly account: string;
}

/** What a new epoch would begin with, as it was found before anything was appended. */
export interface RestorePlan {
  readonly restored: LogRestored['data'];
  /** Where the database ends. */
  readonly head: number;
  /** The epoch is open already: a run before this one was interrupted. */
  readonly isResumed: boolean;
  readonly accounts: readonly AccountHistory[];
}

/**
 * Finds out what the log has lost: against what was published of it, and against what every ledger has
 * of our accounts, once what was submitted can be in no ledger to come. Null where it has lost nothing.
 * Nothing is changed, but that a ledger of which the log knows nothing is joined. Rejects while a ledger
 * does not answer, or does not tell.
 */
export async function planRestore(
  log: RestoredLog,
  networks: readonly RestoredNetwork[],
  say: (line: string) => void,
): Promise<RestorePlan | null> {
  const { store, leaves, db, published } = log;
  const loaded = await loadLog(store);
  if (loaded === null) throw new Error('no log was opened here: there is nothing to restore');
  const { state } = loaded;
  const finding = await check({ of: 'publishing', store, leaves, history: db, published });
  if (finding.status === 'other-log') throw new LogDiffers(finding);
  const last = 'last' in finding ? finding.last : null;
  const marks = await published.readSubmitted();
  const isTold = finding.status !== 'agrees';
  if (isTold) for (const { gateway } of networks) await awaitSubmitted(gateway, marks, say);
  const onLedgers = await Promise.all(networks.map((network) => lastAnchored(log, network)));
  const anchored = onLedgers.flatMap((each) => each.last ?? []);
  const newest = anchored.reduce<Anchored | null>(later, null);
  const forgotten = await Promise.all(networks.map((each) => hasForgotten(log, each)));
  const differs =
    isTold ||
    state.restoring !== null ||
    onLedgers.some(({ differs: one }) => one) ||
    forgotten.some(Boolean);
  if (!differs) return null;
  // The storage went back as the database did. The run that opened the epoch has waited.
  if (!isTold && state.restoring === null)
    for (const { gateway } of networks) await awaitSubmitted(gateway, 'untold', say);
  const found = await Promise.all(networks.map((each) => unreconciled(log, each, state)));
  const accounts = found.flat();
  if (state.restoring !== null) {
    return { restored: state.restoring, head: await store.head(), isResumed: true, accounts };
  }
  const keptSize = await agreedSize({ store, leaves, history: db, published }, finding);
  const epochs = [last, newest, ...marks].map(
    (each) => parseOrigin(each?.origin ?? '')?.epoch ?? 0,
  );
  const restored = {
    epoch: Math.max(state.epoch, ...epochs) + 1,
    keptSize,
    keptRootHash: (await rootAt(leaves, keptSize))?.toString('hex') ?? '',
    published: last === null ? null : memoOf(last),
    anchored: newest,
    reached: finding.status === 'behind' ? finding.position : null,
  };
  return { restored, head: await store.head(), isResumed: false, accounts };
}

export interface Reconciled {
  readonly recovered: number;
  readonly lost: readonly LostOn[];
}

/**
 * Opens the new epoch and reconciles our accounts: what the ledger has of proofs that the log knows is
 * put on record with them, the rest is named as lost. `report` is awaited before the epoch begins. May
 * be repeated after any failure: it goes on where it was.
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
  await decideOnLog(store, (state) => restoreLog(state, restored), meta);
  const total = accounts.reduce((sum, { transactions }) => sum + transactions.length, 0);
  let done = 0;
  for (const account of accounts) {
    await reconcileAccount(log, account, () => {
      done += 1;
      progress(done, total);
    });
  }
  const reconciled = await sinceRestored(log);
  const { recovered, lost } = reconciled;
  await report(reconciled);
  await decideOnLog(store, (state) => reconcileLog(state, { recovered, lost: lost.length }), meta);
  return reconciled;
}

/** Over all runs: what the events after the newest LogRestored say. */
async function sinceRestored({ store }: RestoredLog): Promise<Reconciled> {
  const { state } = (await loadLog(store)) as LoadedLog;
  const own = await store.readStream(streams.log(state.logId));
  const from = own.findLast(({ type }) => type === 'LogRestored')?.position ?? 0;
  const recovered = await store.readLog(from, Number.MAX_SAFE_INTEGER, ['Anchored']);
  const lost = own.flatMap((event): LostOn[] => {
    if (event.type !== 'TransactionsLost' || event.position < from) return [];
    const { network, account, transactions } = event.data;
    return transactions.map((each) => ({ network, account, ...each }));
  });
  return { recovered: recovered.length, lost };
}

async function lastAnchored(
  { store, leaves }: RestoredLog,
  { gateway, checkpointKey }: RestoredNetwork,
): Promise<{ readonly last: Anchored | null; readonly differs: boolean }> {
  const account = checkpointKey?.address ?? null;
  const found = await check({ of: 'anchoring', store, leaves, gateway, account });
  if (found.status === 'history-ends') throw new HistoryTooShort(found);
  const differs = found.status !== 'agrees';
  if (found.last === null) return { last: null, differs };
  const ledger = await gateway.ledger(found.last.ledgerIndex);
  const closeTimeIso = ledger && isoOf(ledger.closeTime);
  return { last: { ...found.last, closeTimeIso }, differs };
}

/** Whether the ledger has what our accounts signed for it, though it does not know that. */
async function hasForgotten(
  log: RestoredLog,
  { gateway, keys, checkpointKey }: RestoredNetwork,
): Promise<boolean> {
  const own = checkpointKey === null ? keys : [...keys, checkpointKey];
  const addresses = own.map(({ address }) => address);
  const signing = () => readSigningState(log, gateway);
  const found = await check({ of: 'sending', store: log.store, gateway, signing, addresses });
  if (found.status === 'history-ends') throw new HistoryTooShort(found);
  return found.status === 'forgotten';
}

type Anchored = NonNullable<LogRestored['data']['anchored']>;

function later(a: Anchored | null, b: Anchored): Anchored {
  const epochOf = ({ origin }: Anchored) => parseOrigin(origin)?.epoch ?? 0;
  if (a === null || epochOf(b) !== epochOf(a)) return a === null || epochOf(b) > epochOf(a) ? b : a;
  return b.size > a.size ? b : a;
}
