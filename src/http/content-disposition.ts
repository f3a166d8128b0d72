/**
 * The Content-Disposition of a file to be saved under its name (RFC 6266): once more in ASCII for
 * clients that know no better, with whatever a header, a path or a reader could take for something
 * else replaced.
 */
export function attachment(fileName: string): string {
  const name = savedName(fileName);
  const ascii = name.normalize('NFC').replace(/[^\x20-\x7e]|["\\%]/gu, '_');
  const plain = `attachment; filename="${ascii}"`;
  return ascii === name ? plain : `${plain}; filename*=UTF-8''${encodeExtended(name)}`;
}

/** Path separators, control characters, line breaks, and what turns the direction of writing. */
const misleading = /[/\\\p{Cc}\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

function savedName(fileName: string): string {
  const name = fileName.toWellFormed().replace(misleading, '_').trim();
  return /^\.*$/.test(name) ? 'file' : name;
}

/** RFC 8187: all but its attr-char is percent-encoded UTF-8. */
function encodeExtended(name: string): string {
  return encodeURIComponent(name).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
