import { hash } from 'node:crypto';
import canonicalize from 'canonicalize';
import { decodeTime } from 'ulid';
import { eventDefinitions } from '../../../src/domain/events.ts';
import type { LeafInput } from '../../../src/domain/log/leaf-input.ts';
import { isUlid } from '../../../src/domain/ulid.ts';
import { leafHash, leafInputOf } from '../../../src/event-store/leaf.ts';
import type { EventRow } from '../../../src/event-store/stored-event.ts';

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
/** Longer texts are not searched for edited characters. */
const mostEdited = 600;
/** Longer original values are not shown. */
const mostShown = 100;
/** Printable ASCII. */
const letters = Array.from({ length: 95 }, (_, n) => String.fromCharCode(0x20 + n));

/**
 * Finds the altered column of a row. Replaces one column at a time until the row hashes to its
 * leaf. No two rows have the same leaf, so the match is the original value.
 * Tries types, schemas and versions, values from the data and the previous row, every single
 * flipped bit, and every edited character of short texts. Returns null if several columns were altered, or if the original value cannot be
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
  const ids = new Set([...idsIn(row.data), ...idsInName(row.stream)]);
  for (const organisationId of [null, previous?.organisation_id ?? null, ...ids]) {
    yield { column: 'organisation_id', was: organisationId ?? 'NULL', input: { organisationId } };
  }
  for (const stream of streamsOf(row, previous, ids)) {
    yield { column: 'stream', was: stream, input: { stream } };
  }
  for (const data of dataOfOwner(row)) {
    yield { column: 'data', was: data, input: { dataHash: hash('sha256', data, 'hex') } };
  }
  for (const text of ['{}', previous?.meta ?? '{}']) {
    yield { column: 'meta', was: text, input: { metaHash: hash('sha256', text, 'hex') } };
  }
  for (let version = 1; version <= mostVersions; version += 1) {
    yield { column: 'version', was: String(version), input: { version } };
  }
  yield* flipped(row);
  // An id contains the time at which it was made.
  const idTime = isUlid(row.event_id) ? decodeTime(row.event_id) : Number.NaN;
  const times = new Set([Date.parse(previous?.recorded_at ?? row.recorded_at), idTime]);
  for (const before of times) {
    for (let ms = -msBefore; ms <= msAfter && isTime(before); ms += 1) {
      const recordedAt = new Date(before + ms).toISOString();
      yield { column: 'recorded_at', was: recordedAt, input: { recordedAt } };
    }
  }
  yield* edited(row);
}

function isTime(ms: number): boolean {
  return ms > msBefore && ms < 8.64e15 - msAfter;
}

function idsInName(stream: string): readonly string[] {
  return stream.split('-').filter(isUlid);
}

/** Data that name the owner of the row, if they name another one. */
function dataOfOwner({ data, organisation_id: organisationId }: EventRow): readonly string[] {
  try {
    const value = JSON.parse(data);
    if (organisationId === null || value.organisationId === undefined) return [];
    return [canonicalize({ ...value, organisationId }) ?? data];
  } catch {
    return [];
  }
}

/** Stream names of all kinds, made of the ids in the data. */
function* streamsOf(
  row: EventRow,
  previous: EventRow | null,
  ids: ReadonlySet<string>,
): Generator<string> {
  if (previous !== null) yield previous.stream;
  const kinds = [
    'proof',
    'links',
    'document',
    'organisation',
    'workspace',
    'key',
    'webhook',
    'webhooks',
  ];
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

const sha256 = (text: string | Buffer) => hash('sha256', text, 'hex');
const searched = {
  event_id: (text: string) => ({ eventId: text }),
  organisation_id: (text: string) => ({ organisationId: text }),
  stream: (text: string) => ({ stream: text }),
  type: (text: string) => ({ type: text }),
  recorded_at: (text: string) => ({ recordedAt: text }),
  meta: (text: string) => ({ metaHash: sha256(text) }),
  data: (text: string) => ({ dataHash: sha256(text) }),
} as const;
const hashed: Readonly<Record<string, (bytes: Buffer) => Partial<LeafInput>>> = {
  meta: (bytes) => ({ metaHash: sha256(bytes) }),
  data: (bytes) => ({ dataHash: sha256(bytes) }),
};

/** Every value with one bit flipped, also where it is no text. */
function* flipped(row: EventRow): Generator<Guess> {
  for (const [column, inputOf] of Object.entries(searched)) {
    const bytes = Buffer.from(row[column as keyof typeof searched] ?? '');
    if (bytes.length > mostBytes) continue;
    for (let bit = 0; bit < bytes.length * 8; bit += 1) {
      const at = bit >> 3;
      const was = bytes[at] ?? 0;
      bytes[at] = was ^ (1 << (bit & 7));
      const text = bytes.length <= mostShown ? bytes.toString() : 'this value with one bit changed';
      yield { column, was: text, input: hashed[column]?.(bytes) ?? inputOf(bytes.toString()) };
      bytes[at] = was;
    }
  }
}

/** Every value with one character replaced, added or removed. */
function* edited(row: EventRow): Generator<Guess> {
  for (const [column, inputOf] of Object.entries(searched)) {
    const text = row[column as keyof typeof searched] ?? '';
    if (text.length > mostEdited) continue;
    const guess = (value: string, how: string) => {
      const was = text.length <= mostShown ? value : `this value with one character ${how}`;
      return { column, was, input: inputOf(value) };
    };
    for (let at = 0; at <= text.length; at += 1) {
      const [before, after] = [text.slice(0, at), text.slice(at + 1)];
      if (at < text.length) yield guess(before + after, 'less');
      for (const letter of letters) {
        if (at < text.length) yield guess(before + letter + after, 'changed');
        yield guess(before + letter + text.slice(at), 'more');
      }
    }
  }
}
