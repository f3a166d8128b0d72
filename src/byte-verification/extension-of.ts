/**
 * What a file name claims to be: the text after its last dot, in lower case; empty if it claims
 * nothing. Read as the systems read it on which the file may be opened: those of dots and blanks at
 * a name's end, of characters that are not shown and of full-width letters make no difference.
 */
export function extensionOf(fileName: string): string {
  const shown = fileName.normalize('NFKC').replace(/\p{C}/gu, '');
  const name = shown.split(/[\\/]/).at(-1) ?? '';
  const trimmed = name.replace(/[\s.]+$/u, '');
  return trimmed
    .slice(trimmed.lastIndexOf('.') + 1 || trimmed.length)
    .trim()
    .toLowerCase();
}
