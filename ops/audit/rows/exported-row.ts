import { type FoundRow, foundRow, isDamaged } from './found-row.ts';
import { parseObject } from './parse-object.ts';

/**
 * Formats a row as a line of an export. `data` and `meta` are the stored texts, byte for byte,
 * since the leaf commits to them. `decrypted` holds the decrypted fields, if they were requested
 * and can be read. A damaged column is null.
 */
export function formatRow(row: FoundRow, decrypted?: object): string {
  const sound = (column: keyof FoundRow) => (isDamaged(row, column) ? null : row[column]);
  return JSON.stringify({
    position: row.position,
    organisationId: row.organisation_id,
    stream: sound('stream'),
    version: sound('version'),
    eventId: sound('event_id'),
    type: sound('type'),
    schema: sound('schema'),
    recordedAt: sound('recorded_at'),
    data: sound('data'),
    meta: sound('meta'),
    leaf: isDamaged(row, 'leaf') ? null : row.leaf.toString('hex'),
    ...(decrypted === undefined ? {} : { unsealed: decrypted }),
  });
}

/** Null if the line is no row of an export. */
export function parseRow(line: string): FoundRow | null {
  const parsed = parseObject(line);
  if (parsed === null || !Number.isSafeInteger(parsed.position)) return null;
  const { position, organisationId, eventId, recordedAt, leaf, ...rest } = parsed;
  const isLeaf = typeof leaf === 'string' && /^[0-9a-f]{64}$/.test(leaf);
  return foundRow(Number(position), {
    ...rest,
    organisation_id: organisationId,
    event_id: eventId,
    recorded_at: recordedAt,
    leaf: isLeaf ? Buffer.from(leaf, 'hex') : leaf,
  });
}
