import type { StatementSync } from 'node:sqlite';
import type { EventRow } from '../../../src/event-store/stored-event.ts';
import { openTemporaryDatabase } from '../bounded/temporary-database.ts';
import { formatRow, parseRow } from '../rows/exported-row.ts';

/** Rows of a proof that is not anchored yet. */
interface OpenProof {
  /** Null if no earlier event requests the proof. */
  readonly requested: EventRow | null;
  /** The signed transactions with the newest Sequence, in order. */
  readonly prepared: readonly EventRow[];
}

/** Characters of rows in memory; the other ones are in a temporary file. */
const mostCharacters = 16_777_216;

/** Rows of the proofs that are not anchored yet, encrypted as they were stored. */
export class OpenProofs {
  readonly #inMemory = new Map<string, OpenProof>();
  readonly #db = openTemporaryDatabase();
  readonly #statements: Readonly<Record<'request' | 'prepare' | 'add' | 'take', StatementSync>>;
  #characters = 0;
  #stored = 0;

  constructor() {
    this.#db.exec(
      'CREATE TABLE open (stream TEXT PRIMARY KEY, requested TEXT, prepared TEXT) WITHOUT ROWID',
    );
    this.#statements = {
      request: this.#db.prepare('INSERT OR REPLACE INTO open VALUES (?, ?, NULL)'),
      prepare: this.#db.prepare('UPDATE open SET prepared = ? WHERE stream = ?'),
      add: this.#db.prepare(
        "UPDATE open SET prepared = coalesce(prepared || char(10), '') || ? WHERE stream = ?",
      ),
      take: this.#db.prepare('DELETE FROM open WHERE stream = ? RETURNING *'),
    };
  }

  close(): void {
    this.#db.close();
  }

  /** Begins the proof of this stream, also if it has begun before. */
  request(row: EventRow): void {
    this.take(row.stream);
    if (this.#put(row.stream, { requested: row, prepared: [] })) return;
    this.#statements.request.run(row.stream, formatRow(row));
    this.#stored += 1;
  }

  /**
   * Adds a signed transaction to the proof of its stream, if that was requested.
   * @param joins true if it joins the transactions of its Sequence; otherwise it begins anew
   */
  prepare(row: EventRow, joins: boolean): void {
    const known = this.#inMemory.get(row.stream);
    if (known === undefined) {
      if (this.#stored > 0) this.#store(row, joins);
      return;
    }
    this.#drop(row.stream, known);
    const prepared = joins ? [...known.prepared, row] : [row];
    if (this.#put(row.stream, { ...known, prepared })) return;
    if (known.requested !== null) {
      this.#statements.request.run(row.stream, formatRow(known.requested));
      this.#stored += 1;
    }
    for (const one of prepared) this.#store(one, true);
  }

  /** Takes the rows of an anchored proof. */
  take(stream: string): OpenProof {
    const known = this.#inMemory.get(stream);
    if (known !== undefined) {
      this.#drop(stream, known);
      return known;
    }
    const found = this.#stored === 0 ? undefined : this.#statements.take.get(stream);
    if (found === undefined) return { requested: null, prepared: [] };
    this.#stored -= 1;
    const { requested, prepared } = found as { requested: string; prepared: string | null };
    const lines = prepared === null ? [] : prepared.split('\n');
    return {
      requested: parseRow(requested),
      prepared: lines.flatMap((line) => parseRow(line) ?? []),
    };
  }

  #store(row: EventRow, joins: boolean): void {
    const { add, prepare } = this.#statements;
    (joins ? add : prepare).run(formatRow(row), row.stream);
  }

  /** False if the memory has no room for it. */
  #put(stream: string, proof: OpenProof): boolean {
    const size = sizeOf(proof);
    if (this.#characters + size > mostCharacters) return false;
    this.#characters += size;
    this.#inMemory.set(stream, proof);
    return true;
  }

  #drop(stream: string, proof: OpenProof): void {
    this.#inMemory.delete(stream);
    this.#characters -= sizeOf(proof);
  }
}

/** Characters of the rows, with some for their other fields. */
function sizeOf({ requested, prepared }: OpenProof): number {
  const rows = requested === null ? prepared : [requested, ...prepared];
  return rows.reduce((sum, { data, meta, stream }) => {
    return sum + data.length + meta.length + stream.length + 512;
  }, 0);
}
