const firstSlots = 65_536;

/**
 * Keys of several 32-bit numbers with a value each, in open-addressed arrays that are at most half
 * full.
 */
export class KeyTable {
  /** Numbers of a key. */
  readonly width: number;
  readonly #mostSlots: number;
  #keys: Uint32Array;
  /** NaN marks an empty slot. */
  #values: Float64Array;
  #count = 0;

  /** @param mostSlots a power of two */
  constructor(width: number, mostSlots: number) {
    this.width = width;
    this.#mostSlots = mostSlots;
    const slots = Math.min(firstSlots, mostSlots);
    this.#keys = new Uint32Array(width * slots);
    this.#values = new Float64Array(slots).fill(Number.NaN);
  }

  /** True if no further key may be added. */
  get isFull(): boolean {
    return 2 * this.#count >= this.#mostSlots;
  }

  /** Value of the key at `at` in `from`; NaN if the table does not have it. */
  get(from: Uint32Array, at: number): number {
    return this.#values[this.#slotOf(from, at)] as number;
  }

  set(from: Uint32Array, at: number, value: number): void {
    const slot = this.#slotOf(from, at);
    const isNew = Number.isNaN(this.#values[slot]);
    for (let n = 0; n < this.width; n += 1) {
      this.#keys[this.width * slot + n] = from[at + n] as number;
    }
    this.#values[slot] = value;
    if (isNew) this.#count += 1;
    if (isNew && 2 * this.#count >= this.#values.length && !this.isFull) this.#grow();
  }

  /** Calls back with each key (its array and place) and its value. */
  each(receive: (from: Uint32Array, at: number, value: number) => void): void {
    const [keys, values] = [this.#keys, this.#values];
    for (let slot = 0; slot < values.length; slot += 1) {
      const value = values[slot] as number;
      if (!Number.isNaN(value)) receive(keys, this.width * slot, value);
    }
  }

  #slotOf(from: Uint32Array, at: number): number {
    const { width } = this;
    const [keys, values] = [this.#keys, this.#values];
    const mask = values.length - 1;
    let mixed = 0;
    for (let n = 0; n < width; n += 1) {
      mixed = Math.imul(mixed ^ (from[at + n] as number), 0x9e3779b1);
      mixed ^= mixed >>> 15;
    }
    for (let slot = mixed & mask; ; slot = (slot + 1) & mask) {
      if (Number.isNaN(values[slot])) return slot;
      let n = 0;
      while (n < width && keys[width * slot + n] === from[at + n]) n += 1;
      if (n === width) return slot;
    }
  }

  #grow(): void {
    const { width } = this;
    const [keys, values] = [this.#keys, this.#values];
    const slots = 2 * values.length;
    this.#keys = new Uint32Array(width * slots);
    this.#values = new Float64Array(slots).fill(Number.NaN);
    for (let slot = 0; slot < values.length; slot += 1) {
      const value = values[slot] as number;
      if (Number.isNaN(value)) continue;
      const to = this.#slotOf(keys, width * slot);
      this.#values[to] = value;
      for (let n = 0; n < width; n += 1) {
        this.#keys[width * to + n] = keys[width * slot + n] as number;
      }
    }
  }
}
