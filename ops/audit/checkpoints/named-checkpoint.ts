import type { Checkpoint } from '../../../src/transparency-log/checkpoint/checkpoint.ts';

/** A published checkpoint, with its name in findings. */
export interface NamedCheckpoint extends Checkpoint {
  readonly name: string;
}
