import { hash } from 'node:crypto';
import { eventDefinitions } from '../../src/domain/events.ts';
import type { LeafInput } from '../../src/domain/log/leaf-input.ts';
import { leafHash, leafInputOf } from '../../src/event-store/leaf.ts';
import type { EventRow } from '../../src/event-store/stored-event.ts';

/** The one column that differs from the value that the leaf commits to. */
export interface AlteredColumn {
  readonly column: string;
  /** Original value, for people. */
  readonly was: string;
}

interface Guess extends AlteredColumn {
  readonly input: Partial<LeafInput>;
}

const mostVersions = 1_000;
const mostSchema = 20;
const msBefore = 1_000;
const msAfter = 10_000;
/** Longer texts are not searched for flipped bits. */
const mostBytes = 4_096;

/**
 * Finds the altered column of a row. Replaces one column at a time until the row hashes to its
 * leaf. No two rows have the same leaf, so the match is the original value.
 * Tries types, schemas and versions, values from the data and the previous row, and every single
 * flipped bit. Returns null if several columns were altered, or if the original value cannot be
 * guessed. Makes at most `tries` guesses.
 */
export function findAlteredColumn(
  row: EventRow,
  leaf: Uint8Array,
  previous: EventRow | null,
  tries: number,
): { readonly altered: AlteredColumn | null; readonly tried: number } {
  const input = leafInputOf(row);
  let tried = 0;
  for (const { column, was, input: guessed } of guesses(row, previous)) {
    if (tried === tries) break;
    tried += 1;
    if (leafHash({ ...input, ...guessed }).equals(leaf)) {
      return { altered: { column, was }, tried };
    }
  }
  return { altered: null, tried };
}

function* guesses(row: EventRow, previous: EventRow | null): Generator<Guess> {
  for (const type of Object.keys(eventDefinitions)) {
    yield { column: 'type', was: type, input: { type } };
  }
  for (let schema = 1; schema <= mostSchema; schema += 1) {
    yield { column: 'schema', was: String(schema), input: { schema } };
  }
  const ids = new Set(idsIn(row.data));
  for (const organisationId of [null, previous?.organisation_id ?? null, ...ids]) {
    yield { column: 'organisation_id', was: organisationId ?? 'NULL', input: { organisationId } };
  }
  for (const stream of streamsOf(row, previous, ids)) {
    yield { column: 'stream', was: stream, input: { stream } };
  }
  for (const text of ['{}', previous?.meta ?? '{}']) {
    yield { column: 'meta', was: text, input: { metaHash: hash('sha256', text, 'hex') } };
  }
  for (let version = 1; version <= mostVersions; version += 1) {
    yield { column: 'version', was: String(version), input: { version } };
  }
  yield* flipped(row);
  const before = Date.parse(previous?.recorded_at ?? row.recorded_at);
  for (let ms = -msBefore; ms <= msAfter && !Number.isNaN(before); ms += 1) {
    const recordedAt = new Date(before + ms).toISOString();
    yield { column: 'recorded_at', was: recordedAt, input: { recordedAt } };
  }
}

/** Stream names of all kinds, made of the ids in the data. */
function* streamsOf(
  row: EventRow,
  previous: EventRow | null,
  ids: ReadonlySet<string>,
): Generator<string> {
  if (previous !== null) yield previous.stream;
  const kinds = ['proof', 'document', 'organisation', 'workspace', 'key', 'webhook', 'webhooks'];
  for (const kind of [...kinds, 'ledger', 'log']) for (const id of ids) yield `${kind}-${id}`;
  yield `allowance-${row.organisation_id}-${row.recorded_at.slice(0, 7)}`;
  for (const one of ids) for (const other of ids) yield `account-${one}-${other}`;
}

/** Values of the data that are a single word. */
function idsIn(data: string): readonly string[] {
  try {
    const values = Object.values(JSON.parse(data) as object);
    return values.filter((value) => typeof value === 'string' && /^[\w-]{1,100}$/.test(value));
  } catch {
    return [];
  }
}

function* flipped(row: EventRow): Generator<Guess> {
  const sha256 = (bytes: Buffer) => hash('sha256', bytes, 'hex');
  const columns = {
    event_id: (bytes: Buffer) => ({ eventId: bytes.toString() }),
    organisation_id: (bytes: Buffer) => ({ organisationId: bytes.toString() }),
    stream: (bytes: Buffer) => ({ stream: bytes.toString() }),
    type: (bytes: Buffer) => ({ type: bytes.toString() }),
    recorded_at: (bytes: Buffer) => ({ recordedAt: bytes.toString() }),
    meta: (bytes: Buffer) => ({ metaHash: sha256(bytes) }),
    data: (bytes: Buffer) => ({ dataHash: sha256(bytes) }),
  } as const;
  for (const [column, inputOf] of Object.entries(columns)) {
    const bytes = Buffer.from(row[column as keyof typeof columns] ?? '');
    if (bytes.length > mostBytes) continue;
    for (let bit = 0; bit < bytes.length * 8; bit += 1) {
      const at = bit >> 3;
      const was = bytes[at] ?? 0;
      bytes[at] = was ^ (1 << (bit & 7));
      yield { column, was: 'this value with one bit changed', input: inputOf(bytes) };
      bytes[at] = was;
    }
  }
}
