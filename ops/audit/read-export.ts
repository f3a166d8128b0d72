import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import type { EventRow } from '../../src/event-store/stored-event.ts';
import { parseRow } from './exported-row.ts';
import type { Tell } from './fault.ts';

/** The rows of an export, line by line; those alone whose line is `wanted`. */
export async function* readExport(
  file: string,
  tell: Tell,
  wanted: (line: string) => boolean = () => true,
): AsyncGenerator<EventRow> {
  const lines = createInterface({ input: createReadStream(file), crlfDelay: Infinity });
  let number = 0;
  for await (const line of lines) {
    number += 1;
    if (!wanted(line)) continue;
    const row = parseRow(line);
    if (row !== null) yield row;
    else {
      const what = `line ${number} of the export is no event`;
      tell({ in: 'events', position: null, column: null, what });
    }
  }
}
