import { readNoteKey } from '../verifier/log/note-key.ts';

/** @import { ReadKey } from '../verifier/log/note-key.ts' */

/**
 * Reads keys that somebody entered, one on each line, also as the lines of a witness policy. `wrong`
 * is the number of the first line without a key; null if there is none.
 *
 * @param {string} entered
 * @returns {{keys: ReadKey[], wrong: number | null}}
 */
export function readKnownKeys(entered) {
  const keys = [];
  let wrong = null;
  for (const [at, line] of entered.split('\n').entries()) {
    const words = line.trim().split(/\s+/);
    if (/^($|#|group$|quorum$)/.test(words[0] ?? '')) continue;
    const found = words.flatMap((word) => readNoteKey(word) ?? []);
    if (found.length === 0) wrong ??= at + 1;
    keys.push(...found);
  }
  return { keys, wrong };
}
