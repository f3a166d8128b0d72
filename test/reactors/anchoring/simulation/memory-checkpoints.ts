import type {
  ReactorCheckpoint,
  ReactorCheckpoints,
} from '../../../../src/subscriptions/reactor-checkpoint.ts';

/** Checkpoints kept like in the database: as text, with positions that never decrease. */
export class MemoryCheckpoints implements ReactorCheckpoints {
  readonly #head: () => number;
  #saved: readonly Saved[] = [];

  /** `head` is the position of the newest event in the database. */
  constructor(head: () => number) {
    this.#head = head;
  }

  /** Loses what was saved when the log had more events than this. */
  lose(head: number): void {
    this.#saved = this.#saved.filter((saved) => saved.head <= head);
  }

  async load<State>(name: string): Promise<ReactorCheckpoint<State> | null> {
    const saved = this.#saved.findLast((one) => one.name === name);
    return saved ? { position: saved.position, state: JSON.parse(saved.state) } : null;
  }

  async save<State>(name: string, checkpoint: ReactorCheckpoint<State>): Promise<void> {
    const { position } = checkpoint;
    const last = this.#saved.findLast((one) => one.name === name);
    if ((last?.position ?? -1) >= position) return;
    const saved = { name, position, state: JSON.stringify(checkpoint.state), head: this.#head() };
    this.#saved = [...this.#saved, saved];
  }
}

interface Saved {
  readonly name: string;
  readonly position: number;
  readonly state: string;
  readonly head: number;
}
