import type { OrganisationId } from './ulid.ts';

/** An organisation, or the service itself. */
type Party = OrganisationId | null;

/**
 * Waiters for one resource. Organisations take turns; within an organisation the longest waiter
 * comes first. So an organisation with a thousand waiters delays another by one turn and not a
 * thousand.
 */
export class FairLine<Waiter> {
  /** Waiters by organisation, next turn first. */
  readonly #lines = new Map<Party, Set<Waiter>>();

  join(organisationId: Party, waiter: Waiter): void {
    const line = this.#lines.get(organisationId) ?? new Set();
    this.#lines.set(organisationId, line.add(waiter));
  }

  /** Removes the waiter. Does nothing if its turn has come. */
  leave(organisationId: Party, waiter: Waiter): void {
    const line = this.#lines.get(organisationId);
    if (line?.delete(waiter) && line.size === 0) this.#lines.delete(organisationId);
  }

  /**
   * Takes the next waiter out of the line; undefined if there is none. Skips organisations whose
   * first waiter does not `fit`. These keep their places.
   */
  next(fits: Fits<Waiter> = anybody): Waiter | undefined {
    const found = this.#find(fits);
    if (found === undefined) return undefined;
    const { organisationId, line, waiter } = found;
    line.delete(waiter);
    this.#lines.delete(organisationId);
    if (line.size > 0) this.#lines.set(organisationId, line);
    return waiter;
  }

  /** True if `next` would find a waiter. */
  has(fits: Fits<Waiter> = anybody): boolean {
    return this.#find(fits) !== undefined;
  }

  /** Number of waiters of the organisation. */
  waiting(organisationId: Party): number {
    return this.#lines.get(organisationId)?.size ?? 0;
  }

  /** Empties the line and returns its waiters. */
  clear(): Waiter[] {
    const all = [...this.#lines.values()].flatMap((line) => [...line]);
    this.#lines.clear();
    return all;
  }

  #find(fits: Fits<Waiter>) {
    for (const [organisationId, line] of this.#lines) {
      const [waiter] = line;
      if (waiter !== undefined && fits(organisationId, waiter)) {
        return { organisationId, line, waiter };
      }
    }
    return undefined;
  }
}

/** Called with an organisation and its longest waiter. */
type Fits<Waiter> = (organisationId: Party, waiter: Waiter) => boolean;

const anybody = () => true;
