import { createReadStream } from 'node:fs';
import type { ReportFault } from '../findings/fault.ts';
import { parseRow } from '../rows/exported-row.ts';
import type { FoundRow } from '../rows/found-row.ts';

/** The longest event has less than a third of this, with every character escaped. */
const mostLineBytes = 134_217_728;
const lineFeed = 0x0a;

/** Yields the rows of an export, line by line, if their line is `wanted`. */
export async function* readExport(
  file: string,
  reportFault: ReportFault,
  wanted: (line: string) => boolean = () => true,
): AsyncGenerator<FoundRow> {
  let number = 0;
  const fault = (what: string) =>
    reportFault({
      in: 'events',
      position: null,
      column: null,
      what: `line ${number} of the export ${what}`,
    });
  for await (const line of readLines(file)) {
    number += 1;
    if (line === null) {
      fault(`is longer than ${mostLineBytes} bytes, the limit of an event`);
      continue;
    }
    if (!wanted(line)) continue;
    const row = parseRow(line);
    if (row !== null) yield row;
    else fault('is not an event');
  }
}

/** Lines of a file without their line feeds; null for a line that is too long to be an event. */
async function* readLines(file: string): AsyncGenerator<string | null> {
  let parts: Buffer[] = [];
  let length = 0;
  const take = (chunk: Buffer) => {
    length += chunk.length;
    if (length <= mostLineBytes) parts.push(chunk);
    else parts = [];
  };
  const end = () => {
    const line = length > mostLineBytes ? null : Buffer.concat(parts).toString('utf8');
    [parts, length] = [[], 0];
    return line;
  };
  const chunks: AsyncIterable<Buffer> = createReadStream(file);
  for await (const chunk of chunks) {
    let from = 0;
    for (let at = chunk.indexOf(lineFeed); at >= 0; at = chunk.indexOf(lineFeed, from)) {
      take(chunk.subarray(from, at));
      from = at + 1;
      yield end();
    }
    take(chunk.subarray(from));
  }
  if (length > 0) yield end();
}
