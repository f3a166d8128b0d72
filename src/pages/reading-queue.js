import { readFile } from './reader.js';

/** @import { ReadFile } from './reading-worker.js' */

/**
 * A given file.
 *
 * @typedef {object} Item
 * @property {number} id
 * @property {File} file
 * @property {'waiting' | 'reading' | 'read' | 'unread'} status `unread` means unreadable.
 * @property {number} doneBytes
 * @property {ReadFile | null} read
 * @property {AbortController} reading
 */

/**
 * Reads files one at a time, so that many files need no more memory than one. Reads the smallest
 * file first, so that certificates do not wait.
 */
export class ReadingQueue {
  /** @type {Item[]} */
  #waiting = [];
  #isReading = false;
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
   * @returns {Item} Abort `reading` of the item to stop.
   */
  add(file) {
    this.#given += 1;
    const reading = new AbortController();
    /** @type {Item} */
    const item = { id: this.#given, file, status: 'waiting', doneBytes: 0, read: null, reading };
    this.#waiting.push(item);
    // Start after all files that were given together are queued.
    queueMicrotask(() => this.#readNext());
    return item;
  }

  async #readNext() {
    if (this.#isReading) return;
    this.#waiting = this.#waiting.filter(({ reading }) => !reading.signal.aborted);
    this.#waiting.sort((a, b) => a.file.size - b.file.size);
    const item = this.#waiting.shift();
    if (item === undefined) return;
    this.#isReading = true;
    item.status = 'reading';
    this.#onRead();
    await this.#read(item);
    this.#isReading = false;
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
    } catch {
      item.status = 'unread';
    }
  }
}
