/** Indents all lines but the first. */
export function indentBelow(text: string, spaces: number): string {
  return text.replaceAll('\n', `\n${' '.repeat(spaces)}`);
}
