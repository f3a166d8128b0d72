import { Gauge, type Registry } from '@prometheus-io/client';

/** The anchoring of one network, as far as it is measured. */
export interface WatchedAnchoring {
  readonly network: string;
  /** Why nothing is anchored now, by a word of few; null if nothing keeps from it. */
  paused(): string | null;
  summary(): {
    readonly pending: number;
    readonly processing: number;
    readonly queued: number;
    /** ISO 8601. */
    readonly oldestRequestedAt: string | null;
    readonly oldestQueuedAt: string | null;
  };
}

/**
 * What is not settled, by network. Every process with the reactor role knows of all of it, whoever holds
 * the accounts: take the maximum over processes, not the sum.
 */
export function anchoringMetrics(
  registry: Registry,
  anchorings: readonly WatchedAnchoring[],
): void {
  const watched = anchorings.map(keepSummary);
  const gauge = <Label extends string>(
    name: string,
    help: string,
    labelNames: readonly Label[],
    collect: (gauge: Gauge<Label>, anchoring: WatchedAnchoring) => void,
  ) =>
    new Gauge<Label>({
      name,
      help,
      labelNames: [...labelNames],
      registers: [registry],
      collect() {
        this.reset();
        for (const anchoring of watched) collect(this, anchoring);
      },
    });

  gauge(
    'proofmark_anchoring_backlog',
    'Proofs that are not settled: waiting to be signed for (pending), signed for (processing)',
    ['network', 'state'],
    (gauged, { network, summary }) => {
      const { pending, processing } = summary();
      gauged.set({ network, state: 'pending' }, pending);
      gauged.set({ network, state: 'processing' }, processing);
    },
  );
  gauge(
    'proofmark_anchoring_queued',
    'Those of them that are settled however long it takes',
    ['network'],
    (gauged, { network, summary }) => gauged.set({ network }, summary().queued),
  );
  gauge(
    'proofmark_anchoring_oldest_seconds',
    'Since the oldest proof that is not settled was requested; 0 if there is none',
    ['network'],
    (gauged, { network, summary }) => gauged.set({ network }, ageOf(summary().oldestRequestedAt)),
  );
  gauge(
    'proofmark_anchoring_oldest_queued_seconds',
    'Since the oldest queued proof was requested; 0 if there is none',
    ['network'],
    (gauged, { network, summary }) => gauged.set({ network }, ageOf(summary().oldestQueuedAt)),
  );
  gauge(
    'proofmark_anchoring_paused',
    '1 with the reason while nothing is anchored by this process',
    ['network', 'reason'],
    (gauged, { network, paused }) => {
      const reason = paused();
      gauged.set({ network, reason: reason ?? 'none' }, reason === null ? 0 : 1);
    },
  );
}

const keptMs = 2_000;

/** To look at every open proof costs something where there are many. */
function keepSummary({ network, paused, summary }: WatchedAnchoring): WatchedAnchoring {
  let kept = summary();
  let keptAt = performance.now();
  return {
    network,
    paused,
    summary() {
      if (performance.now() - keptAt < keptMs) return kept;
      kept = summary();
      keptAt = performance.now();
      return kept;
    },
  };
}

function ageOf(at: string | null): number {
  return at === null ? 0 : Math.max(0, (Date.now() - Date.parse(at)) / 1_000);
}
