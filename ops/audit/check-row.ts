import canonicalize from 'canonicalize';
import type { EventDefinition } from '../../src/domain/event.ts';
import { eventDefinitions } from '../../src/domain/events.ts';
import { isUlid } from '../../src/domain/ulid.ts';
import { type FoundRow, isDamaged } from './found-row.ts';

/** The columns that by themselves cannot be as the event store wrote them, with the reason. */
export function checkRow(row: FoundRow): ReadonlyMap<string, string> {
  const wrong = new Map(row.damaged);
  const expect = (column: string, holds: boolean, what: string) => {
    if (!holds && !isDamaged(row, column)) wrong.set(column, what);
  };
  expect('event_id', isUlid(row.event_id), 'it is no ULID');
  expect('stream', /^[\x21-\x7e]+-[\x21-\x7e]+$/.test(row.stream), 'it is no name of a stream');
  expect('version', row.version >= 1, 'versions begin with 1');
  const definition = Object.hasOwn(eventDefinitions, row.type)
    ? (eventDefinitions[row.type as keyof typeof eventDefinitions] as EventDefinition<object>)
    : null;
  expect('type', definition !== null, 'this program knows no such type');
  const isSchema = row.schema >= 1 && row.schema <= (definition?.schema ?? row.schema);
  expect('schema', isSchema, `this program knows none beyond ${definition?.schema}`);
  expect('recorded_at', isRecordedAt(row.recorded_at), 'it is no time of this form');
  const data = parseCanonical(row.data);
  expect('data', data !== null, 'it is no object in RFC 8785 form');
  expect('meta', parseCanonical(row.meta) !== null, 'it is no object in RFC 8785 form');
  const { organisation_id: owner } = row;
  const stated = data?.organisationId;
  expect('organisation_id', owner === null || isUlid(owner), 'it is no ULID');
  const isOwn = stated === undefined || stated === owner;
  expect('organisation_id', isOwn, 'the data name another organisation');
  const isSealed = data !== null && 'sealed' in data;
  expect('organisation_id', !isSealed || owner !== null, 'what is sealed belongs to nobody');
  return wrong;
}

function isRecordedAt(text: string): boolean {
  const at = new Date(text);
  return !Number.isNaN(at.getTime()) && at.toISOString() === text;
}

function parseCanonical(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value = JSON.parse(text);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject && canonicalize(value) === text ? value : null;
  } catch {
    return null;
  }
}
