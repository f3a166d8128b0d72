/**
 * The transaction hash in what somebody typed or pasted: alone, with blanks around or in it, or at the
 * end of an address such as an explorer's. Upper case, as the ledger writes it; null if there is none.
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
