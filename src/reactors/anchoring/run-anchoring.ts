import {
  defer,
  filter,
  map,
  merge,
  type Observable,
  retry,
  Subject,
  share,
  tap,
  timer,
} from 'rxjs';
import type { AnchoringState, AnchoringSummary } from '../../anchoring-state/anchoring-fold.ts';
import { backlogTypes } from '../../anchoring-state/backlog-types.ts';
import { OtherLedger, UnrecognisedLedger } from '../../anchoring-state/ledger-identity.ts';
import { anchoringCheckpoint } from '../../anchoring-state/read-anchoring.ts';
import type { Network } from '../../domain/network.ts';
import type { LogReader } from '../../event-store/event-store.ts';
import type { LoadedLog } from '../../loading/load-log.ts';
import { followLog } from '../../subscriptions/follow-log.ts';
import type { LogSignal } from '../../subscriptions/log-signal.ts';
import { pullOnHints } from '../../subscriptions/pull-loop.ts';
import type { ReactorCheckpoints } from '../../subscriptions/reactor-checkpoint.ts';
import { Anchoring, type AnchoringDeps } from './anchoring.ts';
import { type Delays, noDelays } from './delay.ts';
import type { Obstacle } from './obstacle.ts';
import { StorageOutages, type StoragePause, storagePause } from './storage-outage.ts';

const retryMs = 1_000;
const releaseAfterMs = 5_000;
const saveEveryMs = 2_000;
/** Saves the newest known ledgers too: servers may not show older ones any more. */
const saveIdleEveryMs = 30_000;
/**
 * Maximum number of open proofs in a saved checkpoint. With more, the old checkpoint stays:
 * replaying from there is correct too.
 */
const maxSavedProofs = 5_000;

type Loop = 'follow' | 'settle' | 'prepare';

/** Reason that nothing is anchored now; the log messages have the details. */
type Pause = Obstacle | StoragePause | 'otherLedger' | 'unrecognised' | 'trouble';

export interface RunningAnchoring {
  paused(): Pause | null;
  /** Reasons that proofs wait; none while anchoring is paused. Iterates over every signed proof. */
  delays(): Delays;
  readonly network: Network;
  /** Name of the network for operators. */
  networkName(): string;
  /** The ledger that proofs are anchored on; null until it is known and confirmed. */
  ledgerId(): string | null;
  backlogSize(): number;
  /** Summary of the open proofs of all processes; iterates over every open proof. */
  summary(): AnchoringSummary;
  /** State of the log, as far as the log was folded. */
  log(): LoadedLog;
  /**
   * Reason that no checkpoint can be signed for, if checkpoints have an account on this network.
   */
  checkpointObstacle(): Obstacle | null;
  /** Number of transactions that this process has replaced by ones that pay more. */
  replacements(): number;
  /** Position up to which the log was folded. */
  position(): number;
  /** Index of the newest known ledger; 0 before the first. */
  seen(): number;
  /** Ends after the work under way, and saves a last checkpoint. */
  stop(): Promise<void>;
}

/**
 * Runs the anchoring of one network: follows the log from the saved checkpoint, settles and
 * prepares at the same time whenever the log or the ledger moves, and retries after errors. Calls
 * `onOtherLedger` if a server shows another ledger than the known one.
 */
export async function runAnchoring(
  deps: AnchoringDeps & {
    readonly checkpoints: ReactorCheckpoints;
    readonly signal: LogSignal;
    /** Reads the log to follow; default `store`. */
    readonly tail?: LogReader;
    readonly onError: (error: unknown) => void;
    readonly onOtherLedger: (error: OtherLedger) => void;
    /** Called when the storage can be used again after an error of it. */
    readonly onStorageBack?: (pause: StoragePause) => void;
    /** Called when the obstacle to signing changes; null: no obstacle any more. */
    readonly onObstacle?: (obstacle: Obstacle | null) => void;
    /** Called when the obstacle to signing checkpoints changes; null: no obstacle any more. */
    readonly onCheckpointObstacle?: (obstacle: Obstacle | null) => void;
  },
): Promise<RunningAnchoring> {
  const { checkpoints, store, tail = store, signal, gateway, onError, onOtherLedger } = deps;
  const outages = new StorageOutages((pause) => deps.onStorageBack?.(pause));
  const anchoring = new Anchoring({
    ...deps,
    compare: deps.compare && outages.comparing(deps.compare),
    cover: deps.cover && outages.covering(deps.cover),
  });
  const { fold } = anchoring;
  const name = anchoringCheckpoint(gateway.network);
  const saved = await checkpoints.load<AnchoringState>(name);
  if (saved) await fold.restore(store, saved.position, saved.state);

  const troubles = new Map<Loop, Pause>();
  const report = (loop: Loop, error: unknown) => {
    const pause = pauseOf(error);
    const ofStorage = storagePause(error);
    // Report a failure that needs an operator only once, when it begins.
    const isNew = ofStorage === null ? troubles.get(loop) !== pause : outages.fails(ofStorage);
    if (pause === 'trouble' || isNew) {
      if (error instanceof OtherLedger) onOtherLedger(error);
      else onError(error);
    }
    troubles.set(loop, pause);
    return timer(retryMs);
  };

  // A new subscription after an error continues from the position reached.
  const followed = defer(() =>
    followLog({ store: tail, signal, after: fold.position, types: backlogTypes }),
  ).pipe(
    tap(({ events, position }) => {
      fold.observe(events, position);
      troubles.delete('follow');
    }),
    retry({ delay: (error) => report('follow', error) }),
    share(),
  );

  const later = (error: unknown) => {
    onError(error);
    return timer(retryMs);
  };
  let lastSaved = -1;
  let savedAt = 0;
  const save = async () => {
    const { position, state } = fold;
    const isNews = position !== lastSaved || performance.now() - savedAt > saveIdleEveryMs;
    if (!isNews || state.proofIds.length > maxSavedProofs) return;
    await checkpoints.save(name, { position, state });
    lastSaved = position;
    savedAt = performance.now();
  };
  let usedAt = performance.now();
  /** Releases the accounts while this process cannot use the ledger, so that others can. */
  const settleOrRelease = async () => {
    let isUsed = false;
    try {
      await anchoring.settle();
      const isConfirmed = anchoring.ledgerId !== null && anchoring.obstacle !== 'ledgerBehind';
      isUsed = gateway.current().connected && isConfirmed;
    } finally {
      if (isUsed) usedAt = performance.now();
      else if (performance.now() - usedAt > releaseAfterMs) await anchoring.release();
    }
  };
  let known: Obstacle | null = null;
  let knownOfCheckpoints: Obstacle | null = null;
  const reportObstacles = () => {
    const { obstacle, checkpointObstacle } = anchoring;
    if (obstacle !== known) deps.onObstacle?.(obstacle);
    if (checkpointObstacle !== knownOfCheckpoints) deps.onCheckpointObstacle?.(checkpointObstacle);
    [known, knownOfCheckpoints] = [obstacle, checkpointObstacle];
  };
  const underWay = new Map<Loop, Promise<void>>();
  const run = (loop: Loop, hints: Observable<unknown>, work: () => Promise<void>) => {
    const turn = async () => {
      const working = work();
      underWay.set(loop, working);
      await working;
      troubles.delete(loop);
      reportObstacles();
    };
    const hinted = hints.pipe(map(() => undefined));
    return pullOnHints(hinted, turn).pipe(retry({ delay: (error) => report(loop, error) }));
  };
  const ledgerMoved = gateway.status.pipe(filter((status) => status.connected));
  const filling = ledgerMoved.subscribe(() => anchoring.fill());
  const untilJoined = followed.pipe(filter(() => anchoring.ledgerId === null));
  const settled = new Subject<void>();
  const settling = run('settle', merge(ledgerMoved, untilJoined, timer(0, retryMs)), async () => {
    await settleOrRelease();
    settled.next();
  });
  const waiting = followed.pipe(filter(() => fold.backlog.hasWaiting));
  const preparing = run('prepare', merge(ledgerMoved, waiting, settled), () => anchoring.prepare());
  const saving = timer(saveEveryMs, saveEveryMs).pipe(map(() => undefined));
  const running = filling;
  running.add(preparing.subscribe());
  running.add(settling.subscribe());
  running.add(followed.subscribe());
  running.add(
    pullOnHints(saving, save)
      .pipe(retry({ delay: later }))
      .subscribe(),
  );

  const paused = () => [...troubles.values()][0] ?? anchoring.obstacle;
  return {
    paused,
    delays: () => (paused() === null ? anchoring.delays : noDelays),
    network: gateway.network,
    networkName: () => gateway.name(),
    ledgerId: () => anchoring.ledgerId,
    backlogSize: () => fold.backlog.size,
    summary: () => fold.summary,
    log: () => fold.backlog.checkpoint.log,
    checkpointObstacle: () => anchoring.checkpointObstacle,
    replacements: () => anchoring.replacements,
    position: () => fold.position,
    seen: () => fold.ledger?.tip.index ?? 0,
    async stop() {
      running.unsubscribe();
      await Promise.allSettled(underWay.values());
      await save().catch(onError);
    },
  };
}

function pauseOf(error: unknown): Pause {
  if (error instanceof OtherLedger) return 'otherLedger';
  if (error instanceof UnrecognisedLedger) return 'unrecognised';
  return storagePause(error) ?? 'trouble';
}
