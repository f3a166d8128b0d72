import { bytesInWords } from '../domain/bytes-in-words.ts';
import { element } from './element.js';

/** @import { Item } from './prove-item.js' */

/** @type {Record<Item['status'], string>} */
const words = {
  waiting: 'waiting',
  hashing: 'hashing',
  hashed: 'hashed',
  uploading: 'uploading',
  pending: 'pending',
  processing: 'being recorded',
  completed: 'proven',
  failed: 'failed',
};

/** One file in the list. */
export class ProveRow {
  #badge = element('span', { class: 'badge' });
  #progress = element('progress', { max: '1', hidden: true });
  #why = element('p', { class: 'hint', hidden: true });
  #certificate;
  #item;

  /**
   * @param {Item} item
   * @param {(item: Item) => void} onCertificate
   */
  constructor(item, onCertificate) {
    this.#item = item;
    this.#progress.setAttribute('aria-label', `Progress of ${item.file.name}`);
    this.#certificate = element(
      'button',
      { type: 'button', class: 'plain', hidden: true, onclick: () => onCertificate(item) },
      'Certificate (PDF)',
      element('span', { class: 'unseen' }, ` of ${item.file.name}`),
    );
    this.row = element(
      'li',
      { class: 'card' },
      element('h2', { dir: 'auto' }, item.file.name),
      element('p', {}, this.#badge, ` ${bytesInWords(item.file.size)}`),
      this.#progress,
      this.#why,
      this.#certificate,
    );
  }

  update() {
    const { status, doneBytes, file, why, isKnown } = this.#item;
    this.#badge.textContent = isKnown && status === 'completed' ? 'proven before' : words[status];
    this.#badge.className = `badge badge-${status}`;
    const isMoving = status === 'hashing' || status === 'uploading';
    this.#progress.hidden = !isMoving;
    if (isMoving) this.#progress.value = Math.min(1, doneBytes / Math.max(1, file.size));
    this.#why.hidden = why === '';
    this.#why.textContent = why;
    this.#certificate.hidden = status !== 'completed';
  }
}
