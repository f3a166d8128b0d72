import type {
  ReactorCheckpoint,
  ReactorCheckpoints,
} from '../../../../src/subscriptions/reactor-checkpoint.ts';

/** Checkpoints kept like in the database: as text, with positions that never decrease. */
export class MemoryCheckpoints implements ReactorCheckpoints {
  readonly #saved = new Map<string, { readonly position: number; readonly state: string }>();

  async load<State>(name: string): Promise<ReactorCheckpoint<State> | null> {
    const saved = this.#saved.get(name);
    return saved ? { position: saved.position, state: JSON.parse(saved.state) } : null;
  }

  async save<State>(name: string, checkpoint: ReactorCheckpoint<State>): Promise<void> {
    const { position } = checkpoint;
    if ((this.#saved.get(name)?.position ?? -1) >= position) return;
    this.#saved.set(name, { position, state: JSON.stringify(checkpoint.state) });
  }
}
