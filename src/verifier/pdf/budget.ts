import { UnreadablePdf } from './unreadable-pdf.ts';

/**
 * What reading one PDF may cost: the bytes looked at, unpacked or kept, however often they are asked
 * for. It bounds time and memory whatever the file says.
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
    if (this.#bytes < 0) throw new UnreadablePdf('it takes more work than any certificate');
  }
}
