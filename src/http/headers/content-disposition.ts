/**
 * Content-Disposition for saving a file under its name (RFC 6266), with an ASCII name for older
 * clients. Characters that a header, a path or a reader could misinterpret are replaced.
 */
export function attachment(fileName: string): string {
  const name = savedName(fileName);
  const ascii = name.normalize('NFC').replace(/[^\x20-\x7e]|["\\%]/gu, '_');
  const plain = `attachment; filename="${ascii}"`;
  return ascii === name ? plain : `${plain}; filename*=UTF-8''${encodeExtended(name)}`;
}

/**
 * Path separators, control characters, line breaks and characters that change the text direction.
 */
const misleading = /[/\\\p{Cc}\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

function savedName(fileName: string): string {
  const name = fileName.toWellFormed().replace(misleading, '_').trim();
  return /^\.*$/.test(name) ? 'file' : name;
}

/** RFC 8187: percent-encodes the UTF-8 of all characters except its attr-char. */
function encodeExtended(name: string): string {
  return encodeURIComponent(name).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
