import { readFile } from './reader.js';

/** @import { ReadFile } from './reading-worker.js' */

/**
 * A file that was given.
 *
 * @typedef {object} Item
 * @property {number} id
 * @property {File} file
 * @property {'waiting' | 'reading' | 'read' | 'unread'} status Unread cannot be read.
 * @property {number} doneBytes
 * @property {ReadFile | null} read
 * @property {AbortController} reading
 */

/**
 * Reads files one at a time, so that many take no more memory than one; the smallest first, so that
 * certificates are not kept waiting.
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
   * @returns {Item} Abort its `reading` to end it.
   */
  add(file) {
    this.#given += 1;
    const reading = new AbortController();
    /** @type {Item} */
    const item = { id: this.#given, file, status: 'waiting', doneBytes: 0, read: null, reading };
    this.#waiting.push(item);
    // Behind the whole list of files that come together.
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
