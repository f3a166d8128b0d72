import { logSignature, readNoteKey } from '../verifier/log/note-key.ts';
import { PolicyMistake, parsePolicy } from '../verifier/log/policy.ts';

/** @import { ReadKey } from '../verifier/log/note-key.ts' */
/** @import { Policy } from '../verifier/log/policy.ts' */

/**
 * Reads keys that somebody entered, one on each line, also as the lines of a witness policy. `wrong`
 * is the number of the first line without a key; null if there is none. `policy` is the policy of a
 * text that names witnesses or a quorum; null for any other. `mistake` says why the policy is malformed.
 *
 * @param {string} entered
 * @returns {{keys: ReadKey[], wrong: number | null, policy: Policy | null, mistake: string | null}}
 */
export function readKnownKeys(entered) {
  const keys = [];
  let wrong = null;
  const lines = entered.split('\n').map((line) => line.trim());
  for (const [at, line] of lines.entries()) {
    const words = line.split(/\s+/);
    if (/^($|#|group$|quorum$)/.test(words[0] ?? '')) continue;
    const found = words.flatMap((word) => readNoteKey(word) ?? []);
    if (found.length === 0) wrong ??= at + 1;
    keys.push(...found);
  }
  return { keys, wrong, ...readPolicy(lines) };
}

/** @param {readonly string[]} lines */
function readPolicy(lines) {
  // Keys of logs alone, also behind `log`, demand no witness.
  const isPolicy = lines.some((line) => /^(witness|group|quorum)(\s|$)/.test(line));
  if (!isPolicy) return { policy: null, mistake: null };
  // Keys of the issuer and of logs may stand alone beside a policy.
  const text = lines.map((line) => (readNoteKey(line) === null ? line : '')).join('\n');
  try {
    return { policy: parsePolicy(text), mistake: null };
  } catch (error) {
    if (error instanceof PolicyMistake) return { policy: null, mistake: error.message };
    throw error;
  }
}

/**
 * Keys of a log by who vouches for them: `pinned` are those that the reader knows. Only without one,
 * `stated` are those that the service states.
 *
 * @param {string} origin Name of the log.
 * @param {readonly ReadKey[]} known
 * @param {readonly ReadKey[]} published
 */
export function keysOfLog(origin, known, published) {
  const isOfLog = (/** @type {ReadKey} */ { type, name }) =>
    type === logSignature && name === origin;
  const pinned = known.filter(isOfLog);
  return { pinned, stated: pinned.length > 0 ? [] : published.filter(isOfLog) };
}
