/** Far above any answer that the pages ask for. */
const maxCharacters = 1_000_000;

/** Longest pause that a server may ask for, in seconds. Timers of browsers end at 24 days. */
const maxPause = 86_400;

/**
 * Text of an answer. Rejects for one that is too large, and stops receiving it. Safari cannot iterate
 * a stream with `for await`, so a reader takes the parts.
 *
 * @param {Response} response
 * @returns {Promise<string>}
 */
export async function readText({ body }) {
  if (body === null) return '';
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    text += decoder.decode(value, { stream: true });
    if (text.length > maxCharacters) {
      // The server need not confirm that.
      reader.cancel().catch(() => {});
      throw new SyntaxError('the answer is too large');
    }
  }
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

/**
 * The longest pause that the service asks for in these answers, in seconds; 0 without one.
 *
 * @param {readonly ({found: string, seconds?: number} | null)[]} answers
 */
export function longestPause(answers) {
  return answers.reduce((longest, answer) => Math.max(longest, answer?.seconds ?? 0), 0);
}
