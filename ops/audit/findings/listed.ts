/** Greatest number of items listed of each kind. */
const mostListed = 1_000;

/** Keeps the first items of each kind, and counts all items. */
export class Listed<Item> {
  readonly items: Item[] = [];
  readonly counts = new Map<string, number>();
  readonly #listed = new Map<string, number>();

  get count(): number {
    return [...this.counts.values()].reduce((sum, count) => sum + count, 0);
  }

  add(kind: string, item: Item, times = 1): void {
    this.counts.set(kind, (this.counts.get(kind) ?? 0) + times);
    const listed = this.#listed.get(kind) ?? 0;
    if (listed >= mostListed) return;
    this.#listed.set(kind, listed + 1);
    this.items.push(item);
  }

  remove(kind: string, item: Item, times = 1): void {
    this.counts.set(kind, (this.counts.get(kind) ?? 0) - times);
    const at = this.items.indexOf(item);
    if (at < 0) return;
    this.items.splice(at, 1);
    this.#listed.set(kind, (this.#listed.get(kind) ?? 0) - 1);
  }
}
