/**
 * Time that advances only when nothing else is left to do. While installed, it replaces the timers
 * and clocks of the whole process, including those of rxjs and the connection supervision.
 */
export class VirtualTime {
  #nowMs = 0;
  #count = 0;
  readonly #waiting = new Map<number, Waiting>();
  readonly #heap: Waiting[] = [];
  /** Offset of the wall clock. Timers ignore it. */
  wallOffsetMs = 0;

  /** Milliseconds since the beginning, never decreasing. */
  get nowMs(): number {
    return this.#nowMs;
  }

  /** Current time of the wall clock. */
  get wall(): Date {
    return new Date(beganMs + this.#nowMs + this.wallOffsetMs);
  }

  /** Runs after the delay. Callbacks due at the same moment run in the order of registration. */
  at(delayMs: number, run: () => void, everyMs: number | null = null): number {
    this.#count += 1;
    const due = this.#nowMs + Math.max(0, delayMs);
    this.#push({ id: this.#count, due, order: this.#count, run, everyMs });
    return this.#count;
  }

  cancel(id: number): void {
    this.#waiting.delete(id);
  }

  sleep(delayMs: number): Promise<void> {
    return new Promise((resolve) => this.at(delayMs, resolve));
  }

  /**
   * Advances time until `done`, checked whenever everything is at rest. Returns false at `untilMs`
   * or without further timers.
   */
  async runUntil(done: () => boolean, untilMs: number): Promise<boolean> {
    for (;;) {
      await rest();
      if (done()) return true;
      const next = this.#pop(untilMs);
      if (next === null) return false;
      this.#nowMs = Math.max(this.#nowMs, next.due);
      if (next.everyMs !== null) {
        this.#count += 1;
        this.#push({ ...next, due: this.#nowMs + Math.max(1, next.everyMs), order: this.#count });
      }
      next.run();
    }
  }

  /** Replaces timers, clocks and random numbers; the returned function restores them. */
  install(random: () => number): () => void {
    const real = {
      setTimeout: globalThis.setTimeout,
      setInterval: globalThis.setInterval,
      setImmediate: globalThis.setImmediate,
      clearTimeout: globalThis.clearTimeout,
      clearInterval: globalThis.clearInterval,
      random: Math.random,
      performanceNow: performance.now,
      dateNow: Date.now,
    };
    const set = (run: Callback, delayMs = 0, ...args: unknown[]) =>
      new Handle(this.at(delayMs, () => run(...args)));
    const setEvery = (run: Callback, everyMs = 0, ...args: unknown[]) =>
      new Handle(this.at(everyMs, () => run(...args), everyMs));
    const clear = (handle: unknown) => {
      if (handle instanceof Handle) this.cancel(handle.id);
      else real.clearTimeout(handle as NodeJS.Timeout);
    };
    // Node's own types are wider, but only these parameters are used here.
    Object.assign(globalThis, { setTimeout: set, setInterval: setEvery });
    Object.assign(globalThis, { setImmediate: (run: Callback) => set(run) });
    Object.assign(globalThis, { clearTimeout: clear, clearInterval: clear });
    Math.random = random;
    performance.now = () => this.#nowMs;
    Date.now = () => this.wall.getTime();
    return () => {
      const { random: realRandom, performanceNow, dateNow, ...timers } = real;
      Object.assign(globalThis, timers);
      Math.random = realRandom;
      performance.now = performanceNow;
      Date.now = dateNow;
    };
  }

  #push(waiting: Waiting): void {
    this.#waiting.set(waiting.id, waiting);
    const heap = this.#heap;
    let place = heap.push(waiting) - 1;
    while (place > 0) {
      const parent = (place - 1) >> 1;
      if (!isBefore(heap[place], heap[parent])) break;
      swap(heap, place, parent);
      place = parent;
    }
  }

  #pop(untilMs: number): Waiting | null {
    for (;;) {
      const [first] = this.#heap;
      if (first === undefined || first.due > untilMs) return null;
      this.#removeFirst();
      if (this.#waiting.get(first.id) !== first) continue;
      this.#waiting.delete(first.id);
      return first;
    }
  }

  #removeFirst(): void {
    const heap = this.#heap;
    const last = heap.pop();
    if (last === undefined || heap.length === 0) return;
    heap[0] = last;
    for (let place = 0; ; ) {
      const left = 2 * place + 1;
      const least = isBefore(heap[left + 1], heap[left]) ? left + 1 : left;
      if (!isBefore(heap[least], heap[place])) return;
      swap(heap, place, least);
      place = least;
    }
  }
}

/** 2026-01-01T00:00:00Z. */
const beganMs = 1_767_225_600_000;

type Callback = (...args: unknown[]) => void;

interface Waiting {
  readonly id: number;
  readonly due: number;
  readonly order: number;
  readonly run: () => void;
  readonly everyMs: number | null;
}

/** Return value of a timer function. */
class Handle {
  readonly id: number;
  constructor(id: number) {
    this.id = id;
  }
  ref(): this {
    return this;
  }
  unref(): this {
    return this;
  }
}

const nextTurn = globalThis.setImmediate;

/** Resolves when no promise can make further progress. */
function rest(): Promise<void> {
  return new Promise((resolve) => nextTurn(resolve));
}

function isBefore(a: Waiting | undefined, b: Waiting | undefined): boolean {
  if (a === undefined) return false;
  if (b === undefined) return true;
  return a.due < b.due || (a.due === b.due && a.order < b.order);
}

function swap(heap: Waiting[], a: number, b: number): void {
  const [left, right] = [heap[a], heap[b]];
  if (left === undefined || right === undefined) return;
  heap[a] = right;
  heap[b] = left;
}
