const firstSlots = 65_536;
/** Bits of a slot that number its entry; the others are a part of the entry's hash. */
const numberBits = 22;
const numberMask = 2 ** numberBits - 1;

/**
 * Keys of several 32-bit numbers with a value each. Entries are in the order in which they were
 * added, so that recent ones stay in the caches of the processor. Open-addressed slots, at most half
 * of them full, number the entries.
 */
export class KeyTable {
  /** Numbers of a key. */
  readonly width: number;
  readonly #mostSlots: number;
  /** Nobody can choose keys that collide. */
  readonly #seed = (Math.random() * 2 ** 32) | 0;
  /** Number of the entry, from 1, below a part of its hash; 0 for an empty slot. */
  #slots: Uint32Array;
  #keys: Uint32Array;
  #values: Float64Array;
  #count = 0;
  /** Slot of the last look-up. */
  #slot = 0;
  /** Part of the hash of the last look-up. */
  #tag = 0;

  /**
   * @param mostSlots a power of two, at most 4,194,304
   * @param expected keys for which the table need not grow
   */
  constructor(width: number, mostSlots: number, expected = 0) {
    this.width = width;
    this.#mostSlots = mostSlots;
    const wanted = 2 ** Math.ceil(Math.log2(2 * expected + 1));
    const slots = Math.min(Math.max(firstSlots, wanted), mostSlots);
    this.#slots = new Uint32Array(slots);
    this.#keys = new Uint32Array((width * slots) / 2);
    this.#values = new Float64Array(slots / 2);
  }

  /** True if no further key may be added. */
  get isFull(): boolean {
    return 2 * this.#count >= this.#mostSlots;
  }

  /** Value of the key at `at` in `from`; NaN if the table does not have it. */
  get(from: Uint32Array, at: number): number {
    const entry = this.#find(from, at);
    return entry < 0 ? Number.NaN : (this.#values[entry] as number);
  }

  set(from: Uint32Array, at: number, value: number): void {
    const entry = this.#find(from, at);
    if (entry < 0) this.#add(from, at, value);
    else this.#values[entry] = value;
  }

  /**
   * Sets the value if the present one is `expected`, where 0 stands for a key that the table does not
   * have. Returns false, and changes nothing, otherwise. Costs one look-up.
   */
  replace(from: Uint32Array, at: number, expected: number, value: number): boolean {
    const entry = this.#find(from, at);
    if ((entry < 0 ? 0 : (this.#values[entry] as number)) !== expected) return false;
    if (entry < 0) this.#add(from, at, value);
    else this.#values[entry] = value;
    return true;
  }

  /** Calls back with each key (its array and place) and its value. */
  each(receive: (from: Uint32Array, at: number, value: number) => void): void {
    const [keys, values] = [this.#keys, this.#values];
    for (let entry = 0; entry < this.#count; entry += 1) {
      receive(keys, this.width * entry, values[entry] as number);
    }
  }

  /** The entry with this key; -1 if there is none. `#slot` is its slot, or the one for it. */
  #find(from: Uint32Array, at: number): number {
    const { width } = this;
    const [slots, keys] = [this.#slots, this.#keys];
    const mask = slots.length - 1;
    let mixed = this.#seed;
    for (let n = 0; n < width; n += 1) {
      mixed = Math.imul(mixed ^ (from[at + n] as number), 0x9e3779b1);
      mixed ^= mixed >>> 15;
    }
    const tag = Math.imul(mixed, 0x85ebca6b) >>> numberBits;
    this.#tag = tag;
    for (let slot = mixed & mask; ; slot = (slot + 1) & mask) {
      const held = slots[slot] as number;
      this.#slot = slot;
      if (held === 0) return -1;
      if (held >>> numberBits !== tag) continue;
      const entry = (held & numberMask) - 1;
      let n = 0;
      while (n < width && keys[width * entry + n] === from[at + n]) n += 1;
      if (n === width) return entry;
    }
  }

  /** Adds a key that was looked for just now. */
  #add(from: Uint32Array, at: number, value: number): void {
    const { width } = this;
    const entry = this.#count;
    for (let n = 0; n < width; n += 1) this.#keys[width * entry + n] = from[at + n] as number;
    this.#values[entry] = value;
    this.#count += 1;
    this.#slots[this.#slot] = (this.#tag << numberBits) | this.#count;
    if (2 * this.#count >= this.#slots.length && !this.isFull) this.#grow();
  }

  #grow(): void {
    const { width } = this;
    const size = 2 * this.#slots.length;
    const [keys, values] = [this.#keys, this.#values];
    this.#keys = new Uint32Array((width * size) / 2);
    this.#keys.set(keys);
    this.#values = new Float64Array(size / 2);
    this.#values.set(values);
    this.#slots = new Uint32Array(size);
    for (let entry = 0; entry < this.#count; entry += 1) {
      this.#find(this.#keys, width * entry);
      this.#slots[this.#slot] = (this.#tag << numberBits) | (entry + 1);
    }
  }
}
