/** A map that forgets its oldest entry when it has more than `most`. */
export class BoundedMap<Key, Value> {
  readonly #map = new Map<Key, Value>();
  readonly #most: number;

  constructor(most: number) {
    this.#most = most;
  }

  get(key: Key): Value | undefined {
    return this.#map.get(key);
  }

  set(key: Key, value: Value): void {
    this.#map.set(key, value);
    if (this.#map.size <= this.#most) return;
    for (const oldest of this.#map.keys()) {
      this.#map.delete(oldest);
      return;
    }
  }
}
