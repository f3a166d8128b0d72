import { epochOf } from '../../../src/domain/log/origin.ts';
import {
  type Checkpoint,
  openCheckpoint,
} from '../../../src/transparency-log/checkpoint/checkpoint.ts';
import { type ReadKey, readLogKey } from '../../../src/verifier/log/note-key.ts';
import type { Fault } from '../findings/fault.ts';
import type { Findings } from '../findings/findings.ts';
import type { LogEpochs } from '../history/log-epochs.ts';
import type { Queryable } from '../rows/read-rows.ts';
import type { NamedCheckpoint } from './named-checkpoint.ts';

/** A row as found: columns may be null if the constraints of the table were dropped. */
export interface CheckpointRow {
  readonly number: number;
  readonly note: string | null;
  readonly vkeys: string | null;
  readonly origin: string | null;
  readonly size: number | null;
}

const pageSize = 500;
/** Longer than any note or list of keys; the rest is not read. */
const mostCharacters = 65_536;

/**
 * Returns the number of the last listed checkpoint; null if none is listed. Reports rows without a
 * number, which no reader sees.
 */
export async function lastNumber(database: Queryable, findings: Findings): Promise<number | null> {
  const { rows } = await database.query<{ last: number | null; unnumbered: number }>(
    `SELECT max(number) AS last, count(*) FILTER (WHERE number IS NULL OR number < 1) AS unnumbered
     FROM published_checkpoints`,
  );
  const { last = null, unnumbered = 0 } = rows[0] ?? {};
  if (unnumbered > 0) {
    const what = `rows in the list of checkpoints without a number: ${unnumbered}`;
    findings.reportFault({
      in: 'checkpoints',
      position: null,
      column: 'number',
      what,
      times: unnumbered,
    });
  }
  return last;
}

/**
 * Finds listed checkpoints that follow larger ones: those of an epoch that cover only events from
 * before it. Version 0.1.0 published some after a restore of a long log.
 */
export async function findOutOfOrder(
  database: Queryable,
  epochs: Pick<LogEpochs, 'begun'> | null,
): Promise<readonly Pick<NamedCheckpoint, 'size'>[]> {
  const found: { readonly size: number }[] = [];
  for (const { origin, keptSize } of epochs?.begun ?? []) {
    const { rows } = await database.query<{ size: number }>(
      'SELECT size FROM published_checkpoints WHERE origin = $1 AND size <= $2',
      [origin, keptSize],
    );
    found.push(...rows);
  }
  return found;
}

/**
 * Yields the listed checkpoints up to a number, in order, with verified signatures, if they can be
 * compared with the log. Reports checkpoints of events that a restore has lost as lost.
 */
export async function* auditCheckpoints(
  database: Queryable,
  options: {
    /** Null if the first event does not name a log: every checkpoint is a fault then. */
    readonly epochs: LogEpochs | null;
    readonly through: number;
    /** Called with the keys that have signed a checkpoint. */
    readonly onSigned?: (signers: readonly ReadKey[]) => void;
    readonly findings: Findings;
  },
): AsyncGenerator<NamedCheckpoint> {
  const { epochs, through, onSigned, findings } = options;
  let [number, size, epoch] = [0, 0, 0];
  const parseKeys = rememberKeys();
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
      const fault = (column: string, what: string) => {
        const of = { in: 'checkpoints', position: null, column, what: `${name}: ${what}` } as const;
        // Cosignatures of a changed note do not verify either.
        if (column.includes('note')) {
          findings.reportCause(of, { streams: [checkpointStream(row.number)] });
        } else findings.reportFault(of);
      };
      if (row.number !== number + 1)
        fault(
          'number',
          `the previous checkpoint in the list has number ${number}, but numbers must count up by one`,
        );
      number = row.number;
      const attempted = { in: 'checkpoints', what: name } as const;
      const opened = await findings.attempt(attempted, () => openRow(row, parseKeys), null);
      if (opened === null) continue;
      if ('column' in opened) {
        fault(opened.column ?? 'note', opened.what);
        continue;
      }
      onSigned?.(opened.signers);
      const own = epochOf(opened.origin);
      if (own < epoch)
        fault(
          'note',
          'the epoch of this checkpoint is earlier than that of the previous checkpoint',
        );
      if (own === epoch && opened.size <= size) {
        fault('note', 'this checkpoint does not cover more events than the previous checkpoint');
      }
      [epoch, size] = [own, opened.size];
      const standing = epochs?.judge(opened) ?? {
        status: 'wrong',
        what: 'the checkpoint belongs to another log',
      };
      if (standing.status === 'compared') yield { ...opened, name };
      else if (standing.status === 'lost') findings.reportLost(`${name}: ${standing.what}`);
      else fault('note', standing.what);
    }
    if (rows.length < pageSize) return;
  }
}

/** Name of a listed checkpoint among the causes of findings. */
export function checkpointStream(number: number | null): string {
  return `checkpoint-listed ${number}`;
}

/**
 * Returns the checkpoint of the note with its keys if all of these have signed it, otherwise the
 * fault.
 */
export function openRow(
  { note, vkeys, origin, size }: CheckpointRow,
  parse: ParseKeys = parseKeys,
): OpenedRow | Pick<Fault, 'column' | 'what'> {
  if (note === null || vkeys === null) {
    return { column: note === null ? 'note' : 'vkeys', what: 'the value is NULL' };
  }
  const verifiers = parse(vkeys);
  if (verifiers === null) {
    return { column: 'vkeys', what: 'the value is not a list of log keys (NAME+ID+KEY)' };
  }
  const opened = openCheckpoint(note, verifiers);
  if (opened.status !== 'verified' || opened.by.length < verifiers.length) {
    return {
      column: 'note,vkeys',
      what: 'the checkpoint is not signed with all keys that are listed with it',
    };
  }
  const { checkpoint } = opened;
  if (checkpoint.origin !== origin) return { column: 'origin', what: unlikeNote };
  return checkpoint.size === size
    ? { ...checkpoint, signers: verifiers }
    : { column: 'size', what: unlikeNote };
}

type ParseKeys = (vkeys: string) => readonly ReadKey[] | null;

/** The same keys sign thousands of checkpoints. */
function rememberKeys(): ParseKeys {
  let last: { readonly vkeys: string; readonly keys: ReturnType<ParseKeys> } | null = null;
  return (vkeys) => {
    if (last?.vkeys !== vkeys) last = { vkeys, keys: parseKeys(vkeys) };
    return last.keys;
  };
}

/** Null if the text is not a list of keys. */
function parseKeys(vkeys: string): readonly ReadKey[] | null {
  const keys = vkeys.split(' ').map((vkey) => readLogKey(vkey));
  return keys.some((key) => key === null) ? null : keys.flatMap((key) => key ?? []);
}

interface OpenedRow extends Checkpoint {
  readonly signers: readonly ReadKey[];
}

const unlikeNote = 'the value differs from that in the signed checkpoint';
