import { byId } from './element.js';

/**
 * Tells those who hear the page instead of seeing it, when they have heard what came before.
 * @param {string} words
 */
export function announce(words) {
  const place = byId('announcement');
  // The same words once more are heard only if they are a change.
  place.textContent = place.textContent === words ? `${words}\u00a0` : words;
}
