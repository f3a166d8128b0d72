import {
  defer,
  exhaustMap,
  filter,
  merge,
  type Observable,
  retry,
  Subject,
  tap,
  timer,
} from 'rxjs';
import { isOnNetwork, type Network } from '../../domain/network.ts';
import { streams } from '../../domain/streams.ts';
import type { EventStore, LogReader } from '../../event-store/event-store.ts';
import type { StoredEvent } from '../../event-store/stored-event.ts';
import type { ReadLedger } from '../../ledger/remember-ledgers.ts';
import type { ValidatorFeed } from '../../ledger/validator-feed.ts';
import { followLog } from '../../subscriptions/follow-log.ts';
import type { LogSignal } from '../../subscriptions/log-signal.ts';
import type { SharedCheckpoints } from '../../subscriptions/reactor-checkpoint.ts';
import type { WorkLocks } from '../../subscriptions/work-locks.ts';
import { BadEvidence } from '../../verifier/evidence/bad-evidence.ts';
import { AttestationRecord } from './attestation-record.ts';
import { Attesting } from './attesting.ts';
import {
  AttestingFold,
  type AttestingState,
  attestingTypes,
  type PendingLedger,
} from './attesting-fold.ts';
import { CollectedValidations } from './collected-validations.ts';
import { foldStream } from './fold-stream.ts';
import { HeaderChains } from './header-chains.ts';
import { KnownValidators } from './known-validators.ts';
import { type AttestingWaits, defaultWaits, LedgerPace } from './ledger-pace.ts';
import { Linking } from './linking.ts';
import { ManifestPace } from './manifest-pace.ts';
import { type FetchList, readLists, type ValidatorListSource } from './read-lists.ts';
import { ReceivedMessages } from './received-messages.ts';
import { RecordedAttestations } from './recorded-attestations.ts';
import { ServerBudget, type ServerCounts } from './server-budget.ts';

export interface AttestingOptions {
  readonly network: Network;
  readonly store: EventStore;
  /** Reads the log to follow; default `store`. */
  readonly tail?: LogReader;
  readonly signal: LogSignal;
  readonly checkpoints: SharedCheckpoints;
  readonly locks: Pick<WorkLocks, 'hold' | 'release'>;
  readonly feed: ValidatorFeed;
  readonly ledger: ReadLedger;
  readonly lists: readonly ValidatorListSource[];
  readonly fetchList: FetchList;
  readonly waits?: AttestingWaits;
  /** Time between two requests of a list. */
  readonly listEveryMs?: number;
  readonly onError: (error: unknown) => void;
  /** Called when a list cannot be read or verified, once until it can. */
  readonly onListTrouble: (url: string, error: unknown) => void;
  /** Called once for a ledger with a transaction of ours that is not in the validated chain. */
  readonly onForked: (ledger: PendingLedger) => void;
  /** Called for ledgers that nothing can attest any more. */
  readonly onGivenUp: (ledgers: readonly PendingLedger[]) => void;
  /** Called once for a server that has sent too many false signatures: it is passed over. */
  readonly onFalseServer: (server: string) => void;
}

export interface RunningAttesting {
  readonly network: Network;
  /** Ledgers with a transaction of ours that are not attested yet. */
  pending(): number;
  /** Time of the oldest transaction in them, ISO 8601; null without any. */
  oldestPendingSince(): string | null;
  /**
   * Each ledger that this process attested or linked: time of our first transaction's record in it,
   * ISO 8601.
   */
  readonly attested: Observable<string>;
  /** Servers that sent messages about validators. */
  servers(): readonly ServerCounts[];
  /** Position up to which the log was folded. */
  position(): number;
  stop(): Promise<void>;
}

const tickMs = 100;
const retryMs = 1_000;
const saveEveryMs = 2_000;
const savePositionEveryMs = 60_000;

/** Events about ledgers of this network. */
function ofNetwork(events: readonly StoredEvent[], network: Network): readonly StoredEvent[] {
  return events.filter(({ data }) => 'ledgerId' in data && isOnNetwork(data.ledgerId, network));
}

/** Name of the reactor's checkpoint. */
export function attestingCheckpoint(network: Network): string {
  return `attesting-${network}`;
}

/**
 * Collects the word of a network's validators, and records it for every ledger in which we have a
 * transaction. Any number of processes may run this. It begins at the head of the log when it runs
 * for the first time: nobody has the validations of older ledgers. Nothing waits for it.
 */
export async function runAttesting(options: AttestingOptions): Promise<RunningAttesting> {
  const { network, store, tail = store, signal, checkpoints, locks, feed, onError } = options;
  const known = new KnownValidators(options.lists.map(({ publisherKey }) => publisherKey));
  const collected = new CollectedValidations(known);
  const name = attestingCheckpoint(network);
  const saved = await checkpoints.load<AttestingState>(name);
  const start =
    saved ??
    // Durable before anything is followed: after a kill the next process must not begin later.
    (await checkpoints.begin<AttestingState>(name, {
      position: await store.head(),
      state: { pending: [], attested: [] },
    }));
  const fold = new AttestingFold(start.position, start.state);

  const pace = new ManifestPace(Date.now);
  const refresh = foldStream(store, streams.validators(network), (event) => {
    known.observe(event);
    pace.observe(event);
  });
  await refresh();
  const publishing = { store, network, known, pace, refresh };

  const forked = new Set<string>();
  const settled = new Subject<string>();
  const record = new AttestationRecord({
    ...{ store, ledger: options.ledger, known, fold },
    onAttested: (since) => settled.next(since),
  });
  const shared = {
    ...{ record, collected, fold },
    pace: new LedgerPace(options.waits ?? defaultWaits, () => performance.now()),
    onForked(ledger: PendingLedger) {
      if (forked.has(ledger.ledgerHash)) return;
      forked.add(ledger.ledgerHash);
      options.onForked(ledger);
    },
  };
  const attesting = new Attesting(shared);
  const lock = `attesting ${network}`;
  const linking = new Linking({
    ...shared,
    headers: new HeaderChains(feed),
    recorded: new RecordedAttestations(store),
    turn: {
      take: async () => (await locks.hold(lock)) !== null,
      giveUp: () => locks.release(lock),
    },
    onGivenUp: options.onGivenUp,
  });

  const budget = new ServerBudget(() => performance.now(), options.onFalseServer);
  const messages = new ReceivedMessages({ feed, collected, publishing, budget });
  const failed = (error: unknown) => {
    // Anybody may send malformed messages; they are ignored.
    if (!(error instanceof BadEvidence)) onError(error);
  };

  const work = new Set<Promise<void>>();
  const track = (working: Promise<void>) => {
    const tracked = working.catch(failed).finally(() => work.delete(tracked));
    work.add(tracked);
    return tracked;
  };

  const followed = defer(() =>
    followLog({ store: tail, signal, after: fold.position, types: attestingTypes }),
  ).pipe(
    tap(({ events, position }) => fold.observe(ofNetwork(events, network), position)),
    retry({ delay: later }),
  );
  function later(error: unknown) {
    onError(error);
    return timer(retryMs);
  }
  /** Repeats work while something is pending, less often after a failure. */
  const repeating = (work: () => Promise<void>) => {
    let resumeAt = 0;
    const tried = () =>
      work().catch((error) => {
        resumeAt = performance.now() + retryMs;
        throw error;
      });
    return timer(tickMs, tickMs).pipe(
      filter(() => fold.size > 0 && performance.now() >= resumeAt),
      exhaustMap(() => track(tried())),
    );
  };
  const attested = repeating(() => attesting.attest());
  const linked = repeating(() => linking.link());
  /** The state may be large. A position alone is saved seldom: events without effect are read again. */
  let last = { position: -1, revision: -1, at: performance.now() };
  const save = async (mayWait = false) => {
    const { position, revision } = fold;
    if (position === last.position && revision === last.revision) return;
    const at = performance.now();
    if (mayWait && revision === last.revision && at - last.at < savePositionEveryMs) return;
    await checkpoints.save(name, { position, state: fold.state });
    last = { position, revision, at };
  };
  const saving = timer(saveEveryMs, saveEveryMs).pipe(exhaustMap(() => track(save(true))));

  const stopping = new AbortController();
  const read = readLists(options.lists, {
    ...{ publishing, track, fetchList: options.fetchList, stopped: stopping.signal },
    everyMs: options.listEveryMs,
    onTrouble: options.onListTrouble,
    onRead: () => messages.retry(),
  });

  const running = merge(followed, attested, linked, saving, read).subscribe();
  running.add(feed.messages.subscribe((message) => track(messages.receive(message))));

  return {
    network,
    pending: () => fold.size,
    oldestPendingSince: () => fold.oldestSince,
    attested: settled,
    servers: () => budget.counts,
    position: () => fold.position,
    async stop() {
      running.unsubscribe();
      stopping.abort();
      attesting.stop();
      linking.stop();
      await feed.close();
      await Promise.all(work);
      await save().catch(onError);
      settled.complete();
    },
  };
}
