import type { EventRow } from '../../src/event-store/stored-event.ts';

/**
 * A row as a line of an export: `data` and `meta` are the stored texts, byte for byte, since the leaf
 * is of these; `unsealed` is what the sealed fields hold, where it was asked for and can be read.
 */
export function formatRow(row: EventRow, unsealed?: object): string {
  const { position, stream, version, type, schema, data, meta } = row;
  return JSON.stringify({
    position,
    organisationId: row.organisation_id,
    stream,
    version,
    eventId: row.event_id,
    type,
    schema,
    recordedAt: row.recorded_at,
    data,
    meta,
    leaf: row.leaf.toString('hex'),
    ...(unsealed === undefined ? {} : { unsealed }),
  });
}

/** Null for a line that is none. */
export function parseRow(line: string): EventRow | null {
  let said: Readonly<Record<string, unknown>>;
  try {
    said = JSON.parse(line);
  } catch {
    return null;
  }
  const texts = [said.stream, said.eventId, said.type, said.recordedAt, said.data, said.meta];
  const numbers = [said.position, said.version, said.schema];
  const owner = said.organisationId;
  const isRow =
    texts.every((text) => typeof text === 'string') &&
    numbers.every(Number.isSafeInteger) &&
    (owner === null || typeof owner === 'string') &&
    /^[0-9a-f]{64}$/.test(String(said.leaf));
  if (!isRow) return null;
  return {
    position: said.position as number,
    organisation_id: owner,
    stream: said.stream as string,
    version: said.version as number,
    event_id: said.eventId as string,
    type: said.type as string,
    schema: said.schema as number,
    recorded_at: said.recordedAt as string,
    data: said.data as string,
    meta: said.meta as string,
    leaf: Buffer.from(said.leaf as string, 'hex'),
  };
}
