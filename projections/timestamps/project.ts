import { sql, type Transaction } from 'kysely';
import type { CheckpointTimestamped } from '../../src/domain/log/timestamp-events.ts';
import type { CertificateIssued } from '../../src/domain/proof/events.ts';
import { proofOfStream } from '../../src/domain/streams.ts';
import type { StoreTables } from '../../src/event-store/database.ts';
import type { StoredEvent } from '../../src/event-store/stored-event.ts';
import { type ErasableProjection, erasable } from '../../src/subscriptions/erasable.ts';
import type { Named } from '../../src/subscriptions/projection.ts';
import { createTimestampsTables, type TimestampsTables, timestampsTables } from './table.ts';

type TimestampsEvent = StoredEvent<CheckpointTimestamped | CertificateIssued>;

/** Certificates that are older than this get a token only when somebody asks for them. */
const keptMs = 7 * 24 * 3_600_000;

/**
 * Finds the time-stamp token that covers an event of the log, and certificates that lack one. No
 * field it reads is confidential.
 */
export const timestamps: ErasableProjection = erasable({
  name: 'timestamps',
  version: 2,
  types: ['CheckpointTimestamped', 'CertificateIssued'] satisfies TimestampsEvent['type'][],
  tables: timestampsTables,
  fields: { CertificateIssued: ['logInclusion', 'timestamp'] },
  create: createTimestampsTables,
  async project(trx, events, named) {
    const own = events as readonly TimestampsEvent[];
    await writeTokens(trx, own, named);
    await writeCertificates(trx, own, named);
  },
  async erase(trx, organisationIds, named) {
    await trx
      .$extendTables<TimestampsTables>()
      .deleteFrom(named('unstamped_certificates'))
      .where('organisation_id', 'in', organisationIds)
      .execute();
  },
});

async function writeTokens(
  trx: Transaction<StoreTables>,
  events: readonly TimestampsEvent[],
  named: Named,
): Promise<void> {
  const rows = events
    .filter((event) => event.type === 'CheckpointTimestamped')
    .map(({ stream, data: { origin, size } }) => ({ size, origin, stream }));
  if (rows.length === 0) return;
  await trx
    .$extendTables<TimestampsTables>()
    .insertInto(named('timestamps'))
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

async function writeCertificates(
  trx: Transaction<StoreTables>,
  events: readonly TimestampsEvent[],
  named: Named,
): Promise<void> {
  const issued = events.filter((event) => event.type === 'CertificateIssued');
  if (issued.length === 0) return;
  const table = sql.table(named('unstamped_certificates'));
  // Of each proof the newest certificate counts.
  const newest = [...new Map(issued.map((event) => [event.stream, event])).values()];
  const stamped = newest.filter(({ data }) => data.timestamp !== null);
  const since = new Date(Math.max(...issued.map(timeOf)) - keptMs);
  await sql`
    DELETE FROM ${table}
    WHERE issued_at < ${since} OR proof_id = ANY(${stamped.map(proofOf)}::text[])`.execute(trx);
  const lacking = newest
    .filter(({ data }) => data.timestamp === null && data.logInclusion !== null)
    .filter((event) => timeOf(event) >= since.getTime());
  if (lacking.length === 0) return;
  await sql`
    INSERT INTO ${table} AS old (proof_id, organisation_id, position, issued_at)
    SELECT * FROM unnest(
      ${lacking.map(proofOf)}::text[],
      ${lacking.map(({ organisationId }) => organisationId)}::text[],
      ${lacking.map(({ data }) => (data.logInclusion?.leafIndex ?? 0) + 1)}::bigint[],
      ${lacking.map(({ recordedAt }) => recordedAt)}::timestamptz[])
    ON CONFLICT (proof_id) DO UPDATE SET issued_at = excluded.issued_at`.execute(trx);
}

function timeOf({ recordedAt }: TimestampsEvent): number {
  return Date.parse(recordedAt);
}

function proofOf({ stream, type }: TimestampsEvent): string {
  const proofId = proofOfStream(stream);
  if (proofId === null) throw new Error(`${type} in the stream ${stream}`);
  return proofId;
}
