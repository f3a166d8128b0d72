import type { EventDefinition } from '../../../src/domain/event.ts';
import { eventDefinitions } from '../../../src/domain/events.ts';
import { isUlid } from '../../../src/domain/ulid.ts';
import { type FoundRow, isDamaged } from './found-row.ts';
import { parseCanonical } from './parse-canonical.ts';

/** Returns the columns with values that the event store never writes, each with the reason. */
export function checkRow(row: FoundRow): ReadonlyMap<string, string> {
  const wrong = new Map(row.damaged);
  const expect = (column: string, holds: boolean, what: string) => {
    if (!holds && !isDamaged(row, column)) wrong.set(column, what);
  };
  expect('event_id', isUlid(row.event_id), 'the value is not a ULID');
  expect('stream', isStreamName(row.stream), 'the value is not the name of a stream');
  expect('version', row.version >= 1, 'the version is less than 1');
  const definition = Object.hasOwn(eventDefinitions, row.type)
    ? (eventDefinitions[row.type as keyof typeof eventDefinitions] as EventDefinition<object>)
    : null;
  expect('type', definition !== null, 'this release does not know the event type');
  const isSchema = row.schema >= 1 && row.schema <= (definition?.schema ?? row.schema);
  expect('schema', isSchema, `this release does not know schema ${row.schema} of the event type`);
  expect(
    'recorded_at',
    isRecordedAt(row.recorded_at),
    'the value is not a time in the form 2030-01-31T12:00:00.000Z',
  );
  const data = parseCanonical(row.data);
  expect('data', data !== null, notCanonical);
  expect('meta', parseCanonical(row.meta) !== null, notCanonical);
  const { organisation_id: owner } = row;
  const stated = data?.organisationId;
  expect('organisation_id', owner === null || isUlid(owner), 'the value is not a ULID');
  const isOwn = stated === undefined || stated === owner;
  expect('organisation_id', isOwn, 'the data of the event name another organisation');
  const isEncrypted = data !== null && 'sealed' in data;
  const ownerless = 'the event has encrypted fields but no organisation';
  expect('organisation_id', !isEncrypted || owner !== null, ownerless);
  return wrong;
}

const notCanonical = 'the value is not a JSON object in canonical form (RFC 8785)';

/** A kind and an id, with a hyphen between them. */
export function isStreamName(text: string): boolean {
  return /^[\x21-\x7e]+-[\x21-\x7e]+$/.test(text);
}

/** Events that were appended together have the same time. */
let lastRecordedAt = '';

/** True for a time in the form 2030-01-31T12:00:00.000Z. */
export function isRecordedAt(text: string): boolean {
  if (text === lastRecordedAt) return true;
  const at = new Date(text);
  if (Number.isNaN(at.getTime()) || at.toISOString() !== text) return false;
  lastRecordedAt = text;
  return true;
}
