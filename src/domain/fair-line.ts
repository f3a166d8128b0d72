import type { OrganisationId } from './ulid.ts';

/**
 * Those who wait for one and the same thing. Organisations take turns, whoever waits longest within
 * each, so that one with a thousand in line keeps another waiting for one turn and not a thousand.
 */
export class FairLine<Waiter> {
  /** The organisation whose turn is next comes first. */
  readonly #lines = new Map<OrganisationId, Set<Waiter>>();

  join(organisationId: OrganisationId, waiter: Waiter): void {
    const line = this.#lines.get(organisationId) ?? new Set();
    this.#lines.set(organisationId, line.add(waiter));
  }

  /** Waits no longer; nothing if its turn has come. */
  leave(organisationId: OrganisationId, waiter: Waiter): void {
    const line = this.#lines.get(organisationId);
    if (line?.delete(waiter) && line.size === 0) this.#lines.delete(organisationId);
  }

  /** Takes whose turn it is out of the line; undefined if nobody waits. */
  next(): Waiter | undefined {
    const [first] = this.#lines;
    if (first === undefined) return undefined;
    const [organisationId, line] = first;
    const [waiter] = line;
    if (waiter !== undefined) line.delete(waiter);
    this.#lines.delete(organisationId);
    if (line.size > 0) this.#lines.set(organisationId, line);
    return waiter;
  }
}
