import type { CheckpointMemo } from '../../src/domain/log/checkpoint-memo.ts';
import { originOf, parseOrigin } from '../../src/domain/log/origin.ts';
import type { Checkpoint } from '../../src/transparency-log/checkpoint/checkpoint.ts';
import type { LogHistory, Restore } from './log-history.ts';

/** Whether a checkpoint can be held against the log; if not, why that is a fault, or is none. */
export type Standing =
  | { readonly status: 'compared' }
  | { readonly status: 'lost' | 'wrong'; readonly what: string };

/**
 * The epochs of a log. A restore ends one: of its checkpoints those up to the size that was kept are of
 * the log as it is, and those beyond are lost if the restore names them, or a larger one, and else wrong.
 */
export class LogEpochs {
  readonly #logId: string;
  readonly #restores: readonly Restore[];

  private constructor(logId: string, restores: readonly Restore[]) {
    this.#logId = logId;
    this.#restores = restores;
  }

  /** Null for a log that does not begin as one. */
  static of({ logId, restores }: LogHistory): LogEpochs | null {
    return logId === null ? null : new LogEpochs(logId, restores);
  }

  get epoch(): number {
    return this.#restores.at(-1)?.data.epoch ?? 1;
  }

  /** Under which the log publishes now. */
  get origin(): string {
    return originOf(this.#logId, this.epoch);
  }

  judge(checkpoint: Checkpoint): Standing {
    const { origin, size } = checkpoint;
    const named = parseOrigin(origin);
    const epoch = named?.logId === this.#logId ? named.epoch : 0;
    const began = this.#restores.find(({ data }) => data.epoch === epoch);
    const ended = this.#ended(epoch);
    if (epoch === 0 || (ended === undefined && began === undefined && epoch !== 1)) {
      return { status: 'wrong', what: `it is of ${origin}, the log is ${this.origin}` };
    }
    if (began !== undefined && size <= began.data.keptSize) {
      const what = `it covers ${size} events, its epoch began with ${began.data.keptSize}`;
      return { status: 'wrong', what };
    }
    if (ended === undefined || size <= ended.data.keptSize) return { status: 'compared' };
    const { keptSize, published, anchored } = ended.data;
    const beyond = `it covers ${size} events, of which a restore kept ${keptSize}`;
    return [published, anchored].some((one) => one !== null && covers(one, checkpoint))
      ? {
          status: 'lost',
          what: `${beyond}: those beyond are lost, as position ${ended.position} says`,
        }
      : { status: 'wrong', what: `${beyond}: position ${ended.position} does not name it as lost` };
  }

  /** Whether it is the one that was published last in an epoch which is over, as the restore says. */
  isLastPublished({ origin, size, root }: Checkpoint): boolean {
    const last = this.#ended(parseOrigin(origin)?.epoch ?? 0)?.data.published ?? null;
    return last?.origin === origin && last.size === size && last.rootHash === root.toString('hex');
  }

  #ended(epoch: number): Restore | undefined {
    return this.#restores.find(({ data }) => data.epoch > epoch);
  }
}

/** A log only grows: who knows of a checkpoint knows of those before it. */
function covers({ origin, size, rootHash }: CheckpointMemo, checkpoint: Checkpoint): boolean {
  if (origin !== checkpoint.origin || size < checkpoint.size) return false;
  return size > checkpoint.size || rootHash === checkpoint.root.toString('hex');
}
