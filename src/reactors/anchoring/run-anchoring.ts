import { defer, filter, map, merge, retry, share, tap, timer } from 'rxjs';
import type { Network } from '../../domain/network.ts';
import { followLog } from '../../subscriptions/follow-log.ts';
import type { LogSignal } from '../../subscriptions/log-signal.ts';
import { pullOnHints } from '../../subscriptions/pull-loop.ts';
import type { ReactorCheckpoints } from '../../subscriptions/reactor-checkpoint.ts';
import type { LoadedLog } from '../../transparency-log/load-log.ts';
import { Anchoring, type AnchoringDeps } from './anchoring.ts';
import type { AnchoringState, AnchoringSummary } from './anchoring-fold.ts';
import { backlogTypes } from './backlog-types.ts';
import { OtherLedger, UnrecognisedLedger } from './ledger-identity.ts';
import type { Obstacle } from './obstacle.ts';
import { anchoringCheckpoint } from './read-anchoring.ts';

const retryMs = 1_000;
const letGoAfterMs = 5_000;
const saveEveryMs = 2_000;
/** With the ledgers that were seen meanwhile: servers may not show older ones any more. */
const saveIdleEveryMs = 30_000;
/** With more open proofs than this the checkpoint stays where it is: replaying from there is right too. */
const maxSavedProofs = 5_000;

/** Why nothing is anchored now; the details are in the log. */
export type Pause = Obstacle | 'otherLedger' | 'unrecognised' | 'trouble';

export interface RunningAnchoring {
  paused(): Pause | null;
  readonly network: Network;
  /** The ledger that proofs are anchored on; null until it is known and confirmed. */
  ledgerId(): string | null;
  backlogSize(): number;
  /** What is open, whoever holds the accounts; looks at every open proof. */
  summary(): AnchoringSummary;
  /** The log's own state, as far as the log was folded. */
  log(): LoadedLog;
  /** What keeps checkpoints from being signed for, where they have an account on this network. */
  checkpointObstacle(): Obstacle | null;
  /** Position up to which the log was folded. */
  position(): number;
  /** Index of the newest ledger that was seen; 0 before the first. */
  seen(): number;
  /** Ends after the step that is being done, with a last checkpoint. */
  stop(): Promise<void>;
}

/**
 * Runs the anchoring of one network: follows the log from the saved checkpoint, steps whenever log
 * or ledger move, reports trouble and tries again. `onOtherLedger` hears when the server shows
 * another ledger than the one known.
 */
export async function runAnchoring(
  deps: AnchoringDeps & {
    readonly checkpoints: ReactorCheckpoints;
    readonly signal: LogSignal;
    readonly onError: (error: unknown) => void;
    readonly onOtherLedger: (error: OtherLedger) => void;
    /** Hears what keeps from signing though nothing failed, when that changes; null: nothing any more. */
    readonly onObstacle?: (obstacle: Obstacle | null) => void;
    /** The same for checkpoints. */
    readonly onCheckpointObstacle?: (obstacle: Obstacle | null) => void;
  },
): Promise<RunningAnchoring> {
  const { checkpoints, store, signal, gateway, onError, onOtherLedger } = deps;
  const anchoring = new Anchoring(deps);
  const { fold } = anchoring;
  const name = anchoringCheckpoint(gateway.network);
  const saved = await checkpoints.load<AnchoringState>(name);
  if (saved) await fold.restore(store, saved.position, saved.state);

  const troubles = new Map<'follow' | 'step', Pause>();
  const report = (loop: 'follow' | 'step', error: unknown) => {
    const pause = pauseOf(error);
    // What stays until an operator acts is told when it is noticed.
    if (pause === 'trouble' || troubles.get(loop) !== pause) {
      if (error instanceof OtherLedger) onOtherLedger(error);
      else onError(error);
    }
    troubles.set(loop, pause);
    return timer(retryMs);
  };

  // Subscribed to afresh after trouble, it goes on from the position reached.
  const followed = defer(() =>
    followLog({ store, signal, after: fold.position, types: backlogTypes }),
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
  let stepping: Promise<void> = Promise.resolve();
  let usedAt = performance.now();
  /** Accounts are not kept from others while this process cannot use the ledger. */
  const stepOrLetGo = async () => {
    let isUsed = false;
    try {
      await anchoring.step();
      isUsed = gateway.current().connected && anchoring.ledgerId !== null;
    } finally {
      if (isUsed) usedAt = performance.now();
      else if (performance.now() - usedAt > letGoAfterMs) await anchoring.letGo();
    }
  };
  const step = async () => {
    const before = anchoring.obstacle;
    const checkpointsBefore = anchoring.checkpointObstacle;
    stepping = stepOrLetGo();
    await stepping;
    troubles.delete('step');
    if (anchoring.obstacle !== before) deps.onObstacle?.(anchoring.obstacle);
    const { checkpointObstacle } = anchoring;
    if (checkpointObstacle !== checkpointsBefore) deps.onCheckpointObstacle?.(checkpointObstacle);
  };
  const ledgerMoved = gateway.status.pipe(filter((status) => status.connected));
  const hints = merge(followed, ledgerMoved, timer(0, retryMs)).pipe(map(() => undefined));
  const saving = timer(saveEveryMs, saveEveryMs).pipe(map(() => undefined));
  const running = pullOnHints(hints, step)
    .pipe(retry({ delay: (error) => report('step', error) }))
    .subscribe();
  running.add(followed.subscribe());
  running.add(
    pullOnHints(saving, save)
      .pipe(retry({ delay: later }))
      .subscribe(),
  );

  return {
    paused: () => [...troubles.values()][0] ?? anchoring.obstacle,
    network: gateway.network,
    ledgerId: () => anchoring.ledgerId,
    backlogSize: () => fold.backlog.size,
    summary: () => fold.summary,
    log: () => fold.backlog.checkpoint.log,
    checkpointObstacle: () => anchoring.checkpointObstacle,
    position: () => fold.position,
    seen: () => fold.ledger?.tip.index ?? 0,
    async stop() {
      running.unsubscribe();
      await stepping.catch(() => {});
      await save().catch(onError);
    },
  };
}

function pauseOf(error: unknown): Pause {
  if (error instanceof OtherLedger) return 'otherLedger';
  return error instanceof UnrecognisedLedger ? 'unrecognised' : 'trouble';
}
