import { Counter, Gauge, type Registry } from '@prometheus-io/client';

/** The anchoring of one network, for measuring. */
interface WatchedAnchoring {
  /** Name of the network for operators. */
  networkName(): string;
  /** Reason that nothing is anchored now, one of a few words; null if there is none. */
  paused(): string | null;
  /** Each reason, one of a few words, that proofs may wait for; true if they do now. */
  delays(): Readonly<Record<string, boolean>>;
  /** Number of transactions that this process has replaced by ones that pay more. */
  replacements(): number;
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
 * Registers the open proofs of each network. Every process with the reactor role reports all of
 * them, whichever process signs: take the maximum over processes, not the sum. Each process counts
 * only its own replacements.
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
    'Open proofs: not signed yet (pending), or signed and not validated yet (processing)',
    ['network', 'state'],
    (gauged, { networkName, summary }) => {
      const { pending, processing } = summary();
      const network = networkName();
      gauged.set({ network, state: 'pending' }, pending);
      gauged.set({ network, state: 'processing' }, processing);
    },
  );
  gauge(
    'proofmark_anchoring_queued',
    'Queued proofs: open proofs that are retried until they are anchored',
    ['network'],
    (gauged, { networkName, summary }) => gauged.set({ network: networkName() }, summary().queued),
  );
  gauge(
    'proofmark_anchoring_oldest_seconds',
    'Age of the oldest open proof since its request; 0 if there is none',
    ['network'],
    (gauged, { networkName, summary }) =>
      gauged.set({ network: networkName() }, ageOf(summary().oldestRequestedAt)),
  );
  gauge(
    'proofmark_anchoring_oldest_queued_seconds',
    'Age of the oldest queued proof since its request; 0 if there is none',
    ['network'],
    (gauged, { networkName, summary }) =>
      gauged.set({ network: networkName() }, ageOf(summary().oldestQueuedAt)),
  );
  gauge(
    'proofmark_anchoring_paused',
    '1 with the reason while this process cannot anchor proofs, else 0 with the reason none',
    ['network', 'reason'],
    (gauged, { networkName, paused }) => {
      const reason = paused();
      gauged.set({ network: networkName(), reason: reason ?? 'none' }, reason === null ? 0 : 1);
    },
  );
  gauge(
    'proofmark_anchoring_delayed',
    '1 while proofs of this process wait for the reason although anchoring is not paused, else 0',
    ['network', 'reason'],
    (gauged, { networkName, delays }) => {
      for (const [reason, isPresent] of Object.entries(delays()))
        gauged.set({ network: networkName(), reason }, isPresent ? 1 : 0);
    },
  );
  new Counter({
    name: 'proofmark_anchoring_replacements_total',
    help: 'Transactions that this process has replaced by ones with a higher fee, since others had filled the ledger',
    labelNames: ['network'],
    registers: [registry],
    collect() {
      this.reset();
      for (const { networkName, replacements } of anchorings)
        this.inc({ network: networkName() }, replacements());
    },
  });
}

const keptMs = 2_000;

/** Caches the summary, since it iterates over every open proof. */
function keepSummary({ summary, ...others }: WatchedAnchoring): WatchedAnchoring {
  let kept = summary();
  let keptAt = performance.now();
  return {
    ...others,
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
