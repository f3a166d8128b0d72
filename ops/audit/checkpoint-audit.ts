import { parseOrigin } from '../../src/domain/log/origin.ts';
import {
  type Checkpoint,
  openCheckpoint,
} from '../../src/transparency-log/checkpoint/checkpoint.ts';
import {
  type NoteVerifier,
  parseVerifierKey,
} from '../../src/transparency-log/checkpoint/note-key.ts';
import type { Fault } from './fault.ts';
import type { Findings } from './findings.ts';
import type { NamedCheckpoint } from './log-audit.ts';
import type { LogEpochs } from './log-epochs.ts';
import type { Queryable } from './read-rows.ts';

/** As it was found: its columns may hold nothing, where the constraints of the table were dropped. */
export interface CheckpointRow {
  readonly number: number;
  readonly note: string | null;
  readonly vkeys: string | null;
  readonly origin: string | null;
  readonly size: number | null;
}

const pageSize = 500;
/** No note is as long, and no list of keys: what comes after is not read. */
const mostCharacters = 65_536;

/** Number of the last one that is listed; null where there is none. No reader comes by rows without a number. */
export async function lastNumber(database: Queryable, findings: Findings): Promise<number | null> {
  const { rows } = await database.query<{ last: number | null; unnumbered: number }>(
    `SELECT max(number) AS last, count(*) FILTER (WHERE number IS NULL OR number < 1) AS unnumbered
     FROM published_checkpoints`,
  );
  const { last = null, unnumbered = 0 } = rows[0] ?? {};
  if (unnumbered > 0) {
    const what = `rows without a number: ${unnumbered}`;
    findings.tell({ in: 'checkpoints', position: null, column: 'number', what, times: unnumbered });
  }
  return last;
}

/**
 * The listed checkpoints up to a number, in order, each with its signatures verified: all that can be
 * held against the log. Those that cover what a restore has lost are told as lost.
 */
export async function* auditCheckpoints(
  database: Queryable,
  options: {
    /** Null for a log that does not begin as one: no checkpoint is of it. */
    readonly epochs: LogEpochs | null;
    readonly through: number;
    readonly findings: Findings;
  },
): AsyncGenerator<NamedCheckpoint> {
  const { epochs, through, findings } = options;
  let [number, size, epoch] = [0, 0, 0];
  for (;;) {
    const { rows } = await database.query<CheckpointRow>(
      `SELECT number, left(note, ${mostCharacters}) AS note, left(vkeys, ${mostCharacters}) AS vkeys,
         left(origin, ${mostCharacters}) AS origin, size
       FROM published_checkpoints
       WHERE number > $1 AND number <= $2 ORDER BY number LIMIT ${pageSize}`,
      [number, through],
    );
    for (const row of rows) {
      const name = `checkpoint ${row.number}`;
      const fault = (column: string, what: string) =>
        findings.tell({ in: 'checkpoints', position: null, column, what: `${name}: ${what}` });
      if (row.number !== number + 1) fault('number', `it follows number ${number}`);
      number = row.number;
      const attempted = { in: 'checkpoints', what: name } as const;
      const opened = await findings.attempt(attempted, () => openRow(row), null);
      if (opened === null) continue;
      if ('column' in opened) {
        fault(opened.column ?? 'note', opened.what);
        continue;
      }
      const own = parseOrigin(opened.origin)?.epoch ?? 0;
      if (own < epoch) fault('note', 'it is of an epoch before the one before it');
      if (own === epoch && opened.size <= size) {
        fault('note', 'it is not larger than the one before');
      }
      [epoch, size] = [own, opened.size];
      const standing = epochs?.judge(opened) ?? { status: 'wrong', what: 'it is of another log' };
      if (standing.status === 'compared') yield { ...opened, name };
      else if (standing.status === 'lost') findings.tellLost(`${name}: ${standing.what}`);
      else fault('note', standing.what);
    }
    if (rows.length < pageSize) return;
  }
}

/** What the note says if all the keys beside it have signed it. */
function openRow({
  note,
  vkeys,
  origin,
  size,
}: CheckpointRow): Checkpoint | Pick<Fault, 'column' | 'what'> {
  if (note === null || vkeys === null) {
    return { column: note === null ? 'note' : 'vkeys', what: 'it is NULL' };
  }
  const verifiers: NoteVerifier[] = [];
  for (const vkey of vkeys.split(' ')) {
    const verifier = parseVerifierKey(vkey);
    if (verifier === null) return { column: 'vkeys', what: 'this is no key' };
    verifiers.push(verifier);
  }
  const opened = openCheckpoint(note, verifiers);
  if (opened.status !== 'verified' || opened.by.length < verifiers.length) {
    return { column: 'note,vkeys', what: 'the note is not signed by these keys' };
  }
  const { checkpoint } = opened;
  if (checkpoint.origin !== origin) return { column: 'origin', what: 'it is not the note’s' };
  return checkpoint.size === size ? checkpoint : { column: 'size', what: 'it is not the note’s' };
}
