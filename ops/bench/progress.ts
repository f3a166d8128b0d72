/** One plain line on stderr: stdout is for the result alone. */
export function progress(line: string): void {
  process.stderr.write(`${line}\n`);
}
