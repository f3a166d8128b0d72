import { sql } from 'kysely';
import { blobKeysOf } from '../../src/domain/blob/blob-key.ts';
import type { CertificateIssued } from '../../src/domain/proof/events.ts';
import type { StoredEvent } from '../../src/event-store/stored-event.ts';
import { type ErasableProjection, erasable } from '../../src/subscriptions/erasable.ts';
import { type CertificatesTables, certificatesTables, createCertificatesTables } from './table.ts';

/** Stored files that are certificates. No field it reads is confidential. */
export const certificates: ErasableProjection = erasable({
  name: 'certificates',
  version: 1,
  types: ['CertificateIssued'],
  tables: certificatesTables,
  fields: { CertificateIssued: ['blobKey'] },
  create: createCertificatesTables,
  async project(trx, events, named) {
    const issued = events as readonly StoredEvent<CertificateIssued>[];
    if (issued.length === 0) return;
    const rows = issued.map(({ data }) => ({ blob_key: data.blobKey }));
    const tables = trx.$extendTables<CertificatesTables>();
    await tables.insertInto(named('certificate_blobs')).values(rows).execute();
  },
  async erase(trx, organisationIds, named) {
    const table = sql.table(named('certificate_blobs'));
    for (const { from, before } of organisationIds.map(blobKeysOf)) {
      await sql`
        DELETE FROM ${table} WHERE blob_key >= ${from} AND blob_key < ${before}`.execute(trx);
    }
  },
});
