import type { LogFiles } from '../../src/transparency-log/published/log-files.ts';

/** Log files in memory. `troubles` is called before and after each effect, and may throw. */
export class MemoryLogFiles implements LogFiles {
  readonly files = new Map<string, Buffer>();
  troubles: (moment: 'before' | 'after', what: string) => void = () => {};

  async read(name: string): Promise<Buffer | null> {
    return this.#effect(`read ${name}`, () => this.files.get(name) ?? null);
  }

  async write(name: string, bytes: Buffer): Promise<void> {
    return this.#effect(`write ${name}`, () => void this.files.set(name, Buffer.from(bytes)));
  }

  async remove(name: string): Promise<void> {
    return this.#effect(`remove ${name}`, () => void this.files.delete(name));
  }

  async list(folder: string): Promise<readonly string[]> {
    const under = `${folder}/`;
    return this.#effect(`list ${folder}`, () =>
      [...this.files.keys()].flatMap((name) =>
        name.startsWith(under) ? name.slice(under.length) : [],
      ),
    );
  }

  async close(): Promise<void> {}

  #effect<Value>(what: string, effect: () => Value): Value {
    this.troubles('before', what);
    const value = effect();
    this.troubles('after', what);
    return value;
  }
}
