/** Far above any answer that the pages ask for. */
const maxCharacters = 1_000_000;

/** Longest pause that a server may ask for, in seconds. Timers of browsers end at 24 days. */
const maxPause = 86_400;

/**
 * Text of an answer. Rejects for one that is too large, and stops receiving it.
 *
 * @param {Response} response
 * @returns {Promise<string>}
 */
export async function readText({ body }) {
  const decoder = new TextDecoder();
  let text = '';
  for await (const bytes of /** @type {any} */ (body ?? [])) {
    text += decoder.decode(bytes, { stream: true });
    if (text.length > maxCharacters) throw new SyntaxError('the answer is too large');
  }
  return text + decoder.decode();
}

/**
 * Seconds that an answer asks to wait, a day at most; a minute if it does not say.
 *
 * @param {Response} response
 */
export function readPause({ headers }) {
  const seconds = Number(headers.get('Retry-After'));
  return seconds > 0 ? Math.min(seconds, maxPause) : 60;
}
