import { isVerifiable } from '../../verifier/log/note-key.ts';
import type { Checkpoint } from '../checkpoint/checkpoint.ts';
import { readPublishedTile } from '../inclusion/read-published-tile.ts';
import type { LogStorage } from '../published/contract.ts';
import {
  addCosignature,
  type CosignedCheckpoint,
  type CosignedHistory,
  recentCosigned,
} from '../published/cosigned-checkpoints.ts';
import { proveConsistency } from '../tree/consistency-proof.ts';
import { tileNodes } from '../tree/tile-nodes.ts';
import {
  type OfferOutcome,
  offerOutcomes,
  type ReachableWitness,
  WitnessClient,
  WitnessTrouble,
} from './witness-client.ts';

export interface WitnessOffersOptions {
  readonly db: CosignedHistory;
  readonly published: Pick<LogStorage, 'readTile'>;
  readonly witnesses: readonly ReachableWitness[];
  /** Called when the log cannot be read, or a cosignature cannot be recorded. */
  readonly onError: (error: unknown) => void;
  /** Called when a witness fails after it succeeded, for the first time, or for another reason. */
  readonly onTrouble: (witness: string, error: unknown) => void;
  /** Called when a witness cosigns after it failed. */
  readonly onRecovered: (witness: string) => void;
  /** For one checkpoint and one witness. */
  readonly timeoutMs?: number;
  readonly nowMs?: () => number;
}

/** Work with one witness. */
interface Asked {
  readonly client: WitnessClient;
  isBusy: boolean;
  failures: number;
  /** Message of the last failure; null after a success. */
  trouble: string | null;
  /** No offer before. */
  notBeforeMs: number;
  readonly counts: Record<OfferOutcome, number>;
}

const firstPauseMs = 1_000;
const longestPauseMs = 60_000;
/** After a failure that is not the witness's. */
const ownPauseMs = 10_000;

/**
 * Offers the newest checkpoint to each witness, and records the cosignatures. The witnesses work
 * independently: each has one request at a time, and pauses of up to a minute after failures.
 */
export class WitnessOffers {
  readonly #options: WitnessOffersOptions;
  readonly #asked: readonly Asked[];
  readonly #stopping = new AbortController();
  readonly #working = new Set<Promise<void>>();

  constructor(options: WitnessOffersOptions) {
    this.#options = options;
    this.#asked = options.witnesses.map((witness) => ({
      client: new WitnessClient(witness),
      ...{ isBusy: false, failures: 0, trouble: null, notBeforeMs: 0 },
      counts: { cosigned: 0, unverified: 0, conflict: 0, refused: 0, failed: 0 },
    }));
  }

  /** Number of offers for each witness and outcome. */
  counts(): readonly { witness: string; outcome: OfferOutcome; count: number }[] {
    return this.#asked.flatMap(({ client, counts }) =>
      offerOutcomes.map((outcome) => ({
        ...{ witness: client.witness.name, outcome, count: counts[outcome] },
      })),
    );
  }

  /** Begins to offer the newest checkpoint to every witness that lacks it. Returns at once. */
  offer(): void {
    if (this.#stopping.signal.aborted) return;
    const now = this.#nowMs();
    const free = this.#asked.filter(({ isBusy, notBeforeMs }) => !isBusy && notBeforeMs <= now);
    if (free.length === 0) return;
    for (const asked of free) asked.isBusy = true;
    const newest = recentCosigned(this.#options.db, 1).then(([first]) => first);
    for (const asked of free) {
      const work = this.#ask(asked, newest).finally(() => {
        asked.isBusy = false;
        this.#working.delete(work);
      });
      this.#working.add(work);
    }
  }

  /** Resolves when no offer is under way. */
  async settled(): Promise<void> {
    await Promise.all(this.#working);
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.settled();
  }

  /** Never rejects. */
  async #ask(asked: Asked, newest: Promise<CosignedCheckpoint | undefined>): Promise<void> {
    const { db, onError, onTrouble, onRecovered, timeoutMs = 5_000 } = this.#options;
    const { client } = asked;
    const { name, key } = client.witness;
    try {
      const row = await newest;
      if (row === undefined || row.cosignatures.some(({ vkey }) => vkey === key.vkey)) return;
      const signal = AbortSignal.any([this.#stopping.signal, AbortSignal.timeout(timeoutMs)]);
      const prove = (older: number, checkpoint: Checkpoint) => this.#prove(older, checkpoint);
      const lines = await client.offer(row.note, prove, signal);
      await addCosignature(db, { number: row.number, vkey: key.vkey, lines });
      asked.counts[isVerifiable(key) ? 'cosigned' : 'unverified'] += 1;
      if (asked.failures > 0) onRecovered(name);
      asked.failures = 0;
      asked.trouble = null;
    } catch (error) {
      if (this.#stopping.signal.aborted) return;
      if (!(error instanceof WitnessTrouble)) {
        asked.notBeforeMs = this.#nowMs() + ownPauseMs;
        onError(error);
        return;
      }
      asked.counts[error.kind] += 1;
      // A refusal of another history must not be hidden by an outage before.
      if (asked.trouble !== error.message) onTrouble(name, error);
      asked.trouble = error.message;
      asked.notBeforeMs =
        this.#nowMs() + Math.min(longestPauseMs, firstPauseMs * 2 ** asked.failures);
      asked.failures += 1;
    }
  }

  async #prove(older: number, { origin, size }: Checkpoint): Promise<readonly Buffer[]> {
    const { db, published } = this.#options;
    const newest = async () => {
      const [last] = await recentCosigned(db, 1);
      return last?.origin === origin ? last : { origin, size };
    };
    const read = tileNodes(size, async (tile) => {
      const bytes = await readPublishedTile(published, newest, tile);
      if (bytes === null) throw new Error(`the tree of ${origin} lacks ${JSON.stringify(tile)}`);
      return bytes;
    });
    return proveConsistency(older, size, read);
  }

  #nowMs(): number {
    return (this.#options.nowMs ?? Date.now)();
  }
}
