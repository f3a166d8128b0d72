import type { ServerConnection } from './server-connection.ts';

/**
 * Maximum number of submissions without an answer at one server. rippled closes a connection with more
 * than 100 answers that are not sent yet (`send_queue_limit`).
 */
export const maxUnanswered = 90;

/** Places for submissions without an answer, of each server. */
export class SubmissionPlaces<Server extends Pick<ServerConnection, 'book'>> {
  readonly #taken = new Map<Server, number>();
  #freed = Promise.withResolvers<void>();

  /**
   * The servers in the order in which they should be asked; null while none has a place. Servers at
   * their limit share the load; otherwise the preferred one gets all first submissions. Servers with
   * room at once are rotated by `earlier`, the number of submissions of the transaction before.
   */
  order(servers: readonly Server[], earlier: number): readonly Server[] | null {
    const waits = servers
      .map((server) => ({ server, ms: this.#waitMs(server) }))
      .sort((a, b) => (a.ms === b.ms ? 0 : a.ms - b.ms));
    if (waits[0]?.ms === Number.POSITIVE_INFINITY) return null;
    const soonest = waits.map(({ server }) => server);
    const free = waits.filter(({ ms }) => ms === 0).length;
    const first = free === 0 ? 0 : earlier % free;
    return [...soonest.slice(first, free), ...soonest.slice(0, first), ...soonest.slice(free)];
  }

  /** Resolves when a submission to any server ends. */
  freed(): Promise<void> {
    return this.#freed.promise;
  }

  /** Submits in a place of the server, after waiting for one if it has none. */
  async use<Answer>(server: Server, submit: () => Promise<Answer>): Promise<Answer> {
    while (!this.#isFree(server)) await this.freed();
    this.#take(server, 1);
    try {
      return await submit();
    } finally {
      this.#take(server, -1);
      this.#freed.resolve();
      this.#freed = Promise.withResolvers();
    }
  }

  #take(server: Server, places: 1 | -1): void {
    this.#taken.set(server, (this.#taken.get(server) ?? 0) + places);
  }

  #isFree(server: Server): boolean {
    return (this.#taken.get(server) ?? 0) < maxUnanswered;
  }

  #waitMs(server: Server): number {
    return this.#isFree(server) ? server.book.waitMs() : Number.POSITIVE_INFINITY;
  }
}
