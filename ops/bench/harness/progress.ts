/** Writes one plain line to stderr, since stdout is for the result. */
export function progress(line: string): void {
  process.stderr.write(`${line}\n`);
}
