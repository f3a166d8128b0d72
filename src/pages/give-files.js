import { byId } from './element.js';
import { readPause } from './read-answer.js';

/** A file of this site that was not served. */
export class NotServed extends Error {
  /** @param {Response} response */
  constructor(response) {
    super(`the file is answered with ${response.status}`);
    this.status = response.status;
    /** Seconds that the service asks to wait; 0 if it does not. */
    this.seconds = response.headers.has('Retry-After') ? readPause(response) : 0;
  }
}

/**
 * Fetches a file of this site, which the page's policy must permit. Rejects without it, with `NotServed`
 * after an answer.
 *
 * @param {string} url
 * @param {string} name
 */
export async function fetchFile(url, name) {
  const response = await fetch(url, { credentials: 'omit', redirect: 'error' });
  if (!response.ok) throw new NotServed(response);
  const bytes = await response.blob();
  return new File([bytes], name, { type: bytes.type });
}

/**
 * Gives files to the verifier of this page, as if the reader had chosen them.
 * @param {readonly File[]} given
 */
export function giveFiles(given) {
  const files = /** @type {HTMLInputElement} */ (byId('files'));
  const transfer = new DataTransfer();
  for (const file of given) transfer.items.add(file);
  files.files = transfer.files;
  files.dispatchEvent(new Event('change'));
}
