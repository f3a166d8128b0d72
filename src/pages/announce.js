import { byId } from './element.js';

/**
 * Announces words to users of screen readers, after previous announcements.
 * @param {string} words
 */
export function announce(words) {
  const region = byId('announcement');
  // Screen readers announce repeated words only if the content changes.
  region.textContent = region.textContent === words ? `${words}\u00a0` : words;
}
