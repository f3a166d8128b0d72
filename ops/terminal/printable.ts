/**
 * Escapes characters that a terminal would interpret or hide (control and format characters, line
 * breaks). Names and other texts come from callers.
 */
export function printable(text: string): string {
  return text.replaceAll(acting, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
}

const acting = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

/** Escapes each line of a text and keeps its line breaks. */
export function printableLines(text: string): string {
  return text.split('\n').map(printable).join('\n');
}

/**
 * One line of JSON, or with an indentation several. Uses JSON escapes for characters that a terminal would
 * interpret, so the value stays the same.
 */
export function printableJson(value: object, indentation = 0): string {
  return JSON.stringify(value, null, indentation).split('\n').map(escaped).join('\n');
}

function escaped(line: string): string {
  return line.replaceAll(acting, (character) =>
    Array.from(
      { length: character.length },
      (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`,
    ).join(''),
  );
}

/** Rows below their headings, in aligned columns. */
export function table(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [headings, ...rows.map((row) => row.map(printable))];
  const widths = headings.map((_, column) =>
    Math.max(...lines.map((line) => [...(line[column] ?? '')].length)),
  );
  const pad = (cell: string, column: number) =>
    cell + ' '.repeat((widths[column] ?? 0) - [...cell].length);
  return lines.map((line) => line.map(pad).join('  ').trimEnd()).join('\n');
}

/** One line per field: its name, then its value. */
export function fields(entries: readonly (readonly [string, string])[]): string {
  const width = Math.max(...entries.map(([name]) => name.length));
  return entries.map(([name, value]) => `${name.padEnd(width)}  ${printable(value)}`).join('\n');
}
