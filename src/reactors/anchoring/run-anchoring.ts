import type { Kysely } from 'kysely';
import {
  filter,
  map,
  merge,
  type Observable,
  retry,
  Subject,
  Subscription,
  tap,
  timer,
} from 'rxjs';
import type { Network } from '../../domain/network.ts';
import type { StoreTables } from '../../event-store/database.ts';
import { followLog } from '../../subscriptions/follow-log.ts';
import type { LogSignal } from '../../subscriptions/log-signal.ts';
import { pullOnHints } from '../../subscriptions/pull-loop.ts';
import { loadCheckpoint, saveCheckpoint } from '../../subscriptions/reactor-checkpoint.ts';
import { Anchoring, type AnchoringDeps } from './anchoring.ts';
import type { AnchoringState } from './anchoring-fold.ts';
import { backlogTypes } from './backlog.ts';
import { OtherLedger } from './ledger-identity.ts';
import { anchoringCheckpoint } from './read-anchoring.ts';

const retryMs = 1_000;
const saveEveryMs = 2_000;
/** With more open proofs than this the checkpoint stays where it is: replaying from there is right too. */
const maxSavedProofs = 5_000;

export interface RunningAnchoring {
  /** Why nothing is anchored now, or null. */
  paused(): string | null;
  readonly network: Network;
  /** The ledger that proofs are anchored on; null until it is known and confirmed. */
  ledgerId(): string | null;
  backlogSize(): number;
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
    readonly db: Kysely<StoreTables>;
    readonly signal: LogSignal;
    readonly onError: (error: unknown) => void;
    readonly onOtherLedger: (error: OtherLedger) => void;
  },
): Promise<RunningAnchoring> {
  const { db, store, signal, gateway, onError, onOtherLedger } = deps;
  const anchoring = new Anchoring(deps);
  const { fold } = anchoring;
  const name = anchoringCheckpoint(gateway.network);
  const saved = await loadCheckpoint<AnchoringState>(db, name);
  if (saved) await fold.restore(store, saved.position, saved.state);

  let paused: string | null = null;
  const observed = new Subject<void>();
  const running = new Subscription();
  const again = {
    delay: (error: unknown) => {
      report(error);
      return timer(retryMs);
    },
  };
  const report = (error: unknown) => {
    paused = error instanceof Error ? error.message : String(error);
    if (error instanceof OtherLedger) onOtherLedger(error);
    else onError(error);
  };

  const following = new Subject<void>();
  const follow = (): Subscription =>
    followLog({ store, signal, after: fold.position, types: backlogTypes })
      .pipe(tap((batch) => fold.observe(batch.events, batch.position)))
      .subscribe({
        next: () => observed.next(),
        // Resubscribed from the position reached, not from where this subscription began.
        error: (error) => {
          report(error);
          setTimeout(() => following.next(), retryMs);
        },
      });
  running.add(following.subscribe(() => running.add(follow())));
  running.add(follow());

  let lastSaved = -1;
  const save = async () => {
    const { position, state } = fold;
    if (position === lastSaved || state.proofIds.length > maxSavedProofs) return;
    await saveCheckpoint(db, name, { position, state });
    lastSaved = position;
  };

  let stepping: Promise<void> = Promise.resolve();
  const step = async () => {
    stepping = anchoring.step();
    await stepping;
    paused = null;
  };
  const hints = merge(observed, ledgerMoves(gateway.status, anchoring), timer(0, retryMs)).pipe(
    map(() => undefined),
  );
  running.add(pullOnHints(hints, step).pipe(retry(again)).subscribe());
  running.add(
    pullOnHints(timer(saveEveryMs, saveEveryMs).pipe(map(() => undefined)), save)
      .pipe(retry(again))
      .subscribe(),
  );

  return {
    paused: () => paused ?? anchoring.obstacle,
    network: gateway.network,
    ledgerId: () => anchoring.ledgerId,
    backlogSize: () => fold.backlog.size,
    async stop() {
      running.unsubscribe();
      await stepping.catch(() => {});
      await save().catch(onError);
    },
  };
}

/** Every new state of the ledger; a lost connection is told to the reactor at once. */
function ledgerMoves(
  status: AnchoringDeps['gateway']['status'],
  anchoring: Anchoring,
): Observable<unknown> {
  return status.pipe(
    tap((now) => {
      if (!now.connected) anchoring.disconnected();
    }),
    filter((now) => now.connected),
  );
}
