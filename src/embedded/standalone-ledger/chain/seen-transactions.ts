import type { Transaction } from '../codec/parse-transaction.ts';

const most = 20_000;

/**
 * The newest 20,000 blobs submitted here. `tx` returns them as not validated, after any result, as
 * rippled does for half an hour.
 */
export class SeenTransactions {
  readonly #blobs = new Map<string, Buffer>();

  add({ hash, blob }: Transaction): void {
    this.#blobs.delete(hash);
    this.#blobs.set(hash, blob);
    if (this.#blobs.size <= most) return;
    for (const oldest of this.#blobs.keys()) {
      this.#blobs.delete(oldest);
      return;
    }
  }

  blob(hash: string): Buffer | undefined {
    return this.#blobs.get(hash);
  }

  clear(): void {
    this.#blobs.clear();
  }
}
