/** Number of requests in a row without an answer after which a server counts as silent. */
const maxUnanswered = 2;

interface Counts {
  answers: number;
  /** Requests in a row without an answer. */
  unanswered: number;
}

/**
 * Commands that a server leaves unanswered, although it sends ledgers and may answer other commands. A slow
 * server that answers others of the same requests meanwhile is not silent. Requests that were under way
 * together count as one: a server answers one after the other, so one stall delays all of them.
 */
export class SilentCommands {
  readonly #counts = new Map<string, Counts>();

  /** True if the last requests of the command had no answer. */
  has(command: string): boolean {
    return (this.#counts.get(command)?.unanswered ?? 0) >= maxUnanswered;
  }

  /** Call it before a request, and one of the results after it. */
  asked(command: string): { readonly answered: () => void; readonly unanswered: () => void } {
    const counts = this.#counts.get(command) ?? { answers: 0, unanswered: 0 };
    this.#counts.set(command, counts);
    const before = { ...counts };
    return {
      answered() {
        counts.answers += 1;
        counts.unanswered = 0;
      },
      unanswered() {
        const isFirst = counts.unanswered === before.unanswered;
        if (isFirst && counts.answers === before.answers) counts.unanswered += 1;
      },
    };
  }
}
