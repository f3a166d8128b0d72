import { type Checkpoint, openCheckpoint } from '../../src/domain/log/checkpoint.ts';
import { type NoteVerifier, parseVerifierKey } from '../../src/domain/log/note-key.ts';
import { parseOrigin } from '../../src/domain/log/origin.ts';
import type { Fault, Tell, TellLost } from './fault.ts';
import type { NamedCheckpoint } from './log-audit.ts';
import type { LogEpochs } from './log-epochs.ts';
import type { Queryable } from './read-rows.ts';

export interface CheckpointRow {
  readonly number: number;
  readonly note: string;
  readonly vkeys: string;
  readonly origin: string;
  readonly size: number;
}

const pageSize = 500;

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
    readonly tell: Tell;
    readonly tellLost: TellLost;
  },
): AsyncGenerator<NamedCheckpoint> {
  const { epochs, through, tell, tellLost } = options;
  let [number, size, epoch] = [0, 0, 0];
  for (;;) {
    const { rows } = await database.query<CheckpointRow>(
      `SELECT number, note, vkeys, origin, size FROM published_checkpoints
       WHERE number > $1 AND number <= $2 ORDER BY number LIMIT ${pageSize}`,
      [number, through],
    );
    for (const row of rows) {
      const name = `checkpoint ${row.number}`;
      const fault = (column: string, what: string) =>
        tell({ in: 'checkpoints', position: null, column, what: `${name}: ${what}` });
      if (row.number !== number + 1) fault('number', `it follows number ${number}`);
      number = row.number;
      const opened = openRow(row);
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
      else if (standing.status === 'lost') tellLost(`${name}: ${standing.what}`);
      else fault('note', standing.what);
    }
    if (rows.length < pageSize) return;
  }
}

/** What the note says if all the keys beside it have signed it. */
function openRow(row: CheckpointRow): Checkpoint | Pick<Fault, 'column' | 'what'> {
  const verifiers: NoteVerifier[] = [];
  for (const vkey of row.vkeys.split(' ')) {
    const verifier = parseVerifierKey(vkey);
    if (verifier === null) return { column: 'vkeys', what: 'this is no key' };
    verifiers.push(verifier);
  }
  const opened = openCheckpoint(row.note, verifiers);
  if (opened.status !== 'verified' || opened.by.length < verifiers.length) {
    return { column: 'note,vkeys', what: 'the note is not signed by these keys' };
  }
  const { checkpoint } = opened;
  if (checkpoint.origin !== row.origin) return { column: 'origin', what: 'it is not the note’s' };
  return checkpoint.size === row.size
    ? checkpoint
    : { column: 'size', what: 'it is not the note’s' };
}
