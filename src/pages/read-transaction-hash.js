/**
 * Finds a transaction hash in typed or pasted text: alone, with blanks, or at the end of a URL such
 * as an explorer's. Returns upper case, as on the ledger; null if there is none.
 *
 * @param {string} text
 */
export function readTransactionHash(text) {
  const words = text
    .trim()
    .replace(/[?#].*$/, '')
    .split('/');
  const last = words.findLast((word) => word.trim() !== '') ?? '';
  const hash = last.replace(/\s+/g, '').toUpperCase();
  return /^[0-9A-F]{64}$/.test(hash) ? hash : null;
}
