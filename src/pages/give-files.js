import { byId } from './element.js';

/**
 * Fetches a file of this site, which the page's policy must permit. Throws without it.
 *
 * @param {string} url
 * @param {string} name
 */
export async function fetchFile(url, name) {
  const response = await fetch(url, { credentials: 'omit', redirect: 'error' });
  if (!response.ok) throw new Error(`the file is answered with ${response.status}`);
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
