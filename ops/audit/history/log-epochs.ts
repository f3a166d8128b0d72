import type { CheckpointMemo } from '../../../src/domain/log/checkpoint-memo.ts';
import { epochOf, originOf, parseOrigin } from '../../../src/domain/log/origin.ts';
import type { Checkpoint } from '../../../src/transparency-log/checkpoint/checkpoint.ts';
import { type LogHistory, type Restore, requestKey } from './log-history.ts';

/**
 * Result of judging a checkpoint: compared with the log, lost by a restore, of an epoch that the
 * events do not have yet, or wrong.
 */
type Standing =
  | { readonly status: 'compared' }
  | { readonly status: 'lost' | 'later' | 'wrong'; readonly what: string };

/**
 * The epochs of a log. A restore ends an epoch. Checkpoints of that epoch up to the kept size are
 * compared with the log, and so are those whose request stands before the restore: the events before
 * it are kept. Larger ones are lost if the restore names them or a larger checkpoint. All others are
 * wrong.
 */
export class LogEpochs {
  readonly #log: Pick<LogHistory, 'logId' | 'name'>;
  readonly #restores: readonly Restore[];
  readonly #requests: LogHistory['requests'];

  private constructor({ logId, name, restores, requests }: LogHistory) {
    this.#log = { logId, name };
    this.#restores = restores;
    this.#requests = requests;
  }

  /** Null if the first event does not name a log. */
  static of(history: LogHistory): LogEpochs | null {
    return history.logId === null ? null : new LogEpochs(history);
  }

  get epoch(): number {
    return this.#restores.at(-1)?.data.epoch ?? 1;
  }

  /** Origin of the present epoch. */
  get origin(): string {
    return originOf({ name: this.#log.name, epoch: this.epoch });
  }

  /** Every later epoch, with the number of events that it took over. */
  get begun(): readonly { readonly origin: string; readonly keptSize: number }[] {
    return this.#restores.map(({ data: { epoch, keptSize } }) => {
      return { origin: originOf({ name: this.#log.name, epoch }), keptSize };
    });
  }

  judge(checkpoint: Checkpoint): Standing {
    const { origin, size } = checkpoint;
    const named = parseOrigin(origin);
    const epoch = named?.name === this.#log.name ? named.epoch : 0;
    const hasBegun = epoch === 1 || this.#restores.some(({ data }) => data.epoch === epoch);
    const ended = this.#ended(epoch);
    if (epoch === 0 || (ended === undefined && !hasBegun)) {
      return {
        status: epoch > this.epoch ? 'later' : 'wrong',
        what: `the checkpoint belongs to ${origin}, but this log is ${this.origin}`,
      };
    }
    if (ended === undefined || size <= ended.data.keptSize) return { status: 'compared' };
    const requestedAt = this.#requests.get(requestKey(checkpoint)) ?? 0;
    if (size < requestedAt && requestedAt < ended.position) return { status: 'compared' };
    const { keptSize } = ended.data;
    const beyond = `the checkpoint covers ${size} events, but a restore kept only the first ${keptSize}`;
    return namedBy(ended).some((one) => covers(one, checkpoint))
      ? {
          status: 'lost',
          what: `${beyond}. The others are lost, as the event at position ${ended.position} records`,
        }
      : {
          status: 'wrong',
          what: `${beyond}. The event at position ${ended.position} does not name this checkpoint as lost`,
        };
  }

  /** True for the last published checkpoint of an ended epoch, as the restore names it. */
  isLastPublished({ origin, size, root }: Checkpoint): boolean {
    const last = this.#ended(epochOf(origin))?.data.published ?? null;
    return last?.origin === origin && last.size === size && last.rootHash === root.toString('hex');
  }

  #ended(epoch: number): Restore | undefined {
    return this.#restores.find(({ data }) => data.epoch > epoch);
  }
}

/** Checkpoints that a restore names as lost, or as known before an earlier restore. */
function namedBy({ data: { published, anchored, earlier } }: Restore): readonly CheckpointMemo[] {
  const before = earlier.flatMap((one) => [one.published, one.anchored]);
  return [published, anchored, ...before].filter((one) => one !== null);
}

/** A log only grows: a checkpoint implies the smaller checkpoints of its epoch. */
function covers({ origin, size, rootHash }: CheckpointMemo, checkpoint: Checkpoint): boolean {
  if (origin !== checkpoint.origin || size < checkpoint.size) return false;
  return size > checkpoint.size || rootHash === checkpoint.root.toString('hex');
}
