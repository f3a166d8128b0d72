import type pg from 'pg';
import { OrganisationShut } from '../domain/organisation/organisation-shut.ts';
import { byteaArray, intArray, textArray } from './binary-array.ts';
import type { EventRow } from './stored-event.ts';
import { type StreamConflict, VersionConflict } from './version-conflict.ts';

/** One atomic append, encoded: its rows, and the streams with their expected versions. */
export interface EncodedAppend {
  readonly rows: readonly Omit<EventRow, 'position'>[];
  readonly guards: readonly { readonly stream: string; readonly expected: number }[];
}

/** Outcome of one append of a batch. */
export type AppendOutcome =
  | { readonly firstPosition: number }
  | { readonly conflict: VersionConflict | OrganisationShut };

/**
 * If `expected` is null, `stream` is the organisation that accepts no events, or no new streams.
 */
interface OutcomeRow {
  readonly entry: number;
  readonly first_position: number | null;
  readonly stream: string;
  readonly expected: number | null;
  readonly actual: number | null;
  readonly present_id: string | null;
}

/**
 * Writes a batch of appends in one call of `append_events`, which is one transaction. No two
 * appends may touch the same stream. Returns the outcomes in the order of the appends. Throws the
 * driver's errors. If the connection is lost meanwhile, the batch may or may not be written.
 *
 * To find out, write the same batch again. An append whose first event is already at its stream and
 * version has been written, and its outcome is success. After a crash the server shows commits that
 * no synchronous standby has. The second attempt waits for these too: it locks the row of the head,
 * which PostgreSQL writes to the WAL, so its commit is confirmed after theirs.
 */
export async function writeBatch(
  pool: pg.Pool | pg.PoolClient,
  appends: readonly EncodedAppend[],
): Promise<AppendOutcome[]> {
  const guards = appends.flatMap((append, entry) => append.guards.map((g) => ({ entry, ...g })));
  const rows = appends.flatMap((append, entry) => append.rows.map((row) => ({ entry, row })));
  const { rows: answers } = await pool.query<OutcomeRow>({
    name: 'append-events',
    text: `SELECT * FROM append_events($1::int[], $2::text[], $3::int[], $4::int[], $5::text[],
      $6::text[], $7::int[], $8::text[], $9::text[], $10::int[], $11::text[], $12::text[],
      $13::text[], $14::bytea[])`,
    values: [
      intArray(guards.map((g) => g.entry)),
      textArray(guards.map((g) => g.stream)),
      intArray(guards.map((g) => g.expected)),
      intArray(rows.map(({ entry }) => entry)),
      textArray(rows.map(({ row }) => row.organisation_id)),
      textArray(rows.map(({ row }) => row.stream)),
      intArray(rows.map(({ row }) => row.version)),
      textArray(rows.map(({ row }) => row.event_id)),
      textArray(rows.map(({ row }) => row.type)),
      intArray(rows.map(({ row }) => row.schema)),
      textArray(rows.map(({ row }) => row.recorded_at)),
      textArray(rows.map(({ row }) => row.data)),
      textArray(rows.map(({ row }) => row.meta)),
      byteaArray(rows.map(({ row }) => row.leaf)),
    ],
  });
  const byEntry = new Map<number, OutcomeRow[]>();
  for (const answer of answers) {
    byEntry.set(answer.entry, [...(byEntry.get(answer.entry) ?? []), answer]);
  }
  const outcomes = appends.map((append, entry) => outcomeOf(append, byEntry.get(entry) ?? []));
  return Promise.all(outcomes.map((outcome) => resolvePosition(pool, outcome)));
}

type Found =
  | AppendOutcome
  | { readonly writtenAt: { readonly stream: string; readonly version: number } };

function outcomeOf(append: EncodedAppend, answers: readonly OutcomeRow[]): Found {
  const [accepted] = answers;
  if (accepted?.first_position != null) return { firstPosition: accepted.first_position };
  const ids = new Set(append.rows.map((row) => row.event_id));
  const own = answers.find((answer) => answer.present_id !== null && ids.has(answer.present_id));
  const [firstRow] = append.rows;
  if (own && firstRow) return { writtenAt: firstRow };
  const shut = answers.find(({ expected }) => expected === null);
  if (shut) return { conflict: new OrganisationShut(shut.stream) };
  const conflicts = answers.flatMap(({ stream, expected, actual }): StreamConflict[] =>
    expected === null || actual === null ? [] : [{ stream, expected, actual }],
  );
  return { conflict: new VersionConflict(conflicts) };
}

async function resolvePosition(
  pool: pg.Pool | pg.PoolClient,
  found: Found,
): Promise<AppendOutcome> {
  if (!('writtenAt' in found)) return found;
  const { stream, version } = found.writtenAt;
  const { rows } = await pool.query<{ position: number }>(
    'SELECT position FROM events WHERE stream = $1 AND version = $2',
    [stream, version],
  );
  const [row] = rows;
  if (row === undefined)
    throw new Error(`${stream} version ${version} is not where it was written`);
  return { firstPosition: row.position };
}
