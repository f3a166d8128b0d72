import { UnreadablePdf } from './unreadable-pdf.ts';

/**
 * Budget for reading one PDF, in bytes read, decompressed or kept, including repeated reads. Bounds
 * time and memory for any input.
 */
export class Budget {
  #bytes: number;

  constructor(bytes: number) {
    this.#bytes = bytes;
  }

  get left(): number {
    return this.#bytes;
  }

  spend(bytes: number): void {
    this.#bytes -= bytes;
    if (this.#bytes < 0) throw new UnreadablePdf('it is far more complex than any certificate');
  }
}
