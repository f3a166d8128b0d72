import { ReaderMissing, readFile } from './reader.js';
import { isSmall } from './small-file.js';

/** @import { Item } from './given-file.ts' */

/**
 * Reads files one at a time, so that many files need no more memory than one, and one small file
 * beside a large one. Reads the smallest file first, so that certificates do not wait.
 */
export class ReadingQueue {
  /** @type {Item[]} */
  #waiting = [];
  /** @type {Item[]} */
  #stalled = [];
  /** @type {Set<'small' | 'large'>} */
  #reading = new Set();
  #given = 0;
  #onRead;
  #onProgress;

  /** @param {{onRead: () => void, onProgress: (item: Item) => void}} listeners */
  constructor({ onRead, onProgress }) {
    this.#onRead = onRead;
    this.#onProgress = onProgress;
  }

  /**
   * @param {File} file
   * @param {string} [folder]
   * @returns {Item} Abort `reading` of the item to stop.
   */
  add(file, folder) {
    this.#given += 1;
    const reading = new AbortController();
    /** @type {Item} */
    const item = { id: this.#given, file, status: 'waiting', doneBytes: 0, read: null, reading };
    if (folder) item.folder = folder;
    this.#waiting.push(item);
    // Start after all files that were given together are queued.
    queueMicrotask(() => this.#readNext());
    return item;
  }

  /** Reads files again that could not be read without the reading thread. */
  retry() {
    for (const item of this.#stalled.splice(0)) {
      item.status = 'waiting';
      this.#waiting.push(item);
    }
    queueMicrotask(() => this.#readNext());
  }

  #readNext() {
    this.#waiting = this.#waiting.filter(({ reading }) => !reading.signal.aborted);
    this.#waiting.sort((a, b) => a.file.size - b.file.size);
    this.#begin('small', ({ file }) => isSmall(file));
    this.#begin('large', ({ file }) => !isSmall(file));
  }

  /**
   * @param {'small' | 'large'} lane
   * @param {(item: Item) => boolean} isFor
   */
  async #begin(lane, isFor) {
    const item = this.#waiting.find(isFor);
    if (item === undefined || this.#reading.has(lane)) return;
    // A large file waits until no small one does, unless it has begun.
    if (lane === 'large' && this.#reading.has('small')) return;
    this.#waiting = this.#waiting.filter((each) => each !== item);
    this.#reading.add(lane);
    item.status = 'reading';
    this.#onRead();
    await this.#read(item);
    this.#reading.delete(lane);
    if (!item.reading.signal.aborted) this.#onRead();
    this.#readNext();
  }

  /** @param {Item} item */
  async #read(item) {
    const { signal } = item.reading;
    const onProgress = (/** @type {number} */ doneBytes) => {
      item.doneBytes = doneBytes;
      this.#onProgress(item);
    };
    try {
      item.read = await readFile(item.file, { onProgress, signal });
      item.status = 'read';
    } catch (error) {
      // A thread that dies while it reads would die again.
      const isStalled = error instanceof ReaderMissing && !error.isLoaded;
      item.status = isStalled ? 'stalled' : 'unread';
      if (isStalled && !signal.aborted) this.#stalled.push(item);
    }
  }
}
