import { lengthPrefix } from './hashes.ts';
import { isJsonObject, type JsonObject } from './json.ts';

const largestMemos = 1024;
/** Characters of a URL by RFC 3986. */
const urlCharacters = /^[A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=%]*$/;

/**
 * The fault of the memos in rippled's words, or undefined. The size is that of the serialized array
 * without its own header and end marker; the recorded limit is 1,026 bytes with both.
 */
export function memoFault(json: JsonObject): string | undefined {
  if (json.Memos === undefined) return undefined;
  const memos: readonly unknown[] = Array.isArray(json.Memos) ? json.Memos : [];
  const contents = memos.map((item) => (isJsonObject(item) ? item.Memo : undefined));
  if (contents.reduce<number>((sum, memo) => sum + memoBytes(memo), 0) > largestMemos) {
    return 'The memo exceeds the maximum allowed size.';
  }
  for (const memo of contents) {
    if (!isJsonObject(memo)) return 'A memo array may contain only Memo objects.';
    for (const [name, value] of Object.entries(memo)) {
      if (name !== 'MemoType' && name !== 'MemoData' && name !== 'MemoFormat') {
        return 'A memo may contain only MemoType, MemoData or MemoFormat fields.';
      }
      if (name === 'MemoData') continue;
      if (!urlCharacters.test(Buffer.from(String(value), 'hex').toString('latin1'))) {
        return 'The MemoType and MemoFormat fields may only contain characters that are allowed in URLs under RFC 3986.';
      }
    }
  }
  return undefined;
}

/** Serialized size of one memo: object header and end marker; per field header, length, content. */
function memoBytes(memo: unknown): number {
  if (!isJsonObject(memo)) return 2;
  return Object.values(memo).reduce<number>((sum, value) => {
    const length = String(value).length / 2;
    return sum + 1 + lengthPrefix(length).length + length;
  }, 2);
}
