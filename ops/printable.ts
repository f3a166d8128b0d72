/**
 * Text for a terminal: what is in it that a terminal would act upon or hide (control and format
 * characters, line breaks) is written as an escape. Names and the like come from callers.
 */
export function printable(text: string): string {
  return text.replaceAll(acting, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
}

const acting = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

/** The same for text of several lines. */
export function printableLines(text: string): string {
  return text.split('\n').map(printable).join('\n');
}

/** One line of JSON; what a terminal would act upon is written as an escape of JSON, so it reads the same. */
export function printableJson(value: object): string {
  return JSON.stringify(value).replaceAll(acting, (character) =>
    Array.from(
      { length: character.length },
      (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`,
    ).join(''),
  );
}

/** Rows below their headings, in columns as wide as they need to be. */
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
