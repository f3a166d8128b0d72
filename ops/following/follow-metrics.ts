import { Gauge, Registry } from '@prometheus-io/client';
import type { Alerts } from './alerts.ts';
import type { AnchorWatch } from './anchor-watch.ts';
import { alertKinds } from './condition.ts';
import type { FollowState } from './follow-state.ts';
import type { KeptCheckpoints } from './kept-checkpoints.ts';

interface Followed {
  readonly kept: Pick<KeptCheckpoints, 'newest'>;
  readonly alerts: Pick<Alerts, 'unsent' | 'count'>;
  /** Null: no ledger is asked. */
  readonly anchors: Pick<AnchorWatch, 'matched'> | null;
  readonly state: Pick<FollowState, 'content'>;
  /** When the log was last looked at to the end, in ms since 1970; null before the first time. */
  readonly lookedAtMs: () => number | null;
  /** Pause between two looks, in seconds. */
  readonly everySeconds: number;
}

/** Metrics of a followed log. */
export function followMetrics({
  kept,
  alerts,
  anchors,
  state,
  lookedAtMs,
  everySeconds,
}: Followed): Registry {
  const registry = new Registry();
  const gauge = (name: string, help: string, value: () => number | null) =>
    new Gauge({
      name: `proofmark_follow_${name}`,
      help,
      registers: [registry],
      collect() {
        this.reset();
        const now = value();
        if (now !== null) this.set(now);
      },
    });
  const seconds = (ms: number | null) => (ms === null ? null : ms / 1_000);
  gauge(
    'checkpoint_events',
    'Events that the newest kept checkpoint covers',
    () => kept.newest?.size ?? null,
  );
  gauge(
    'checkpoint_timestamp_seconds',
    'When the newest kept checkpoint was first seen, in seconds since 1970',
    () => seconds(kept.newest?.seenAtMs ?? null),
  );
  gauge('looked_timestamp_seconds', 'When the log was last looked at, in seconds since 1970', () =>
    seconds(lookedAtMs()),
  );
  gauge('every_seconds', 'Pause between two looks, in seconds', () => everySeconds);
  gauge(
    'ledger_checkpoints',
    'Checkpoints of the ledger that were found in the log since the start',
    () => anchors?.matched ?? 0,
  );
  gauge(
    'ledger_checkpoints_pending',
    'Checkpoints of the ledger that are not found in the log: wrong, hidden or not compared yet',
    () => state.content.pending.length,
  );
  gauge('alerts_unsent', 'Alerts that the webhook has not taken yet', () => alerts.unsent);
  new Gauge({
    name: 'proofmark_follow_alerts',
    help: 'Alerts that last, by kind',
    labelNames: ['kind'],
    registers: [registry],
    collect() {
      for (const kind of alertKinds) this.set({ kind }, alerts.count(kind));
    },
  });
  return registry;
}
