import { sql, type Transaction } from 'kysely';
import type { DocumentEvent } from '../../src/domain/document/events.ts';
import type { StorageEvent } from '../../src/domain/storage/events.ts';
import type { StoreTables } from '../../src/event-store/database.ts';
import type { StoredEvent } from '../../src/event-store/stored-event.ts';
import { type ErasableProjection, erasable } from '../../src/subscriptions/erasable.ts';
import type { Named } from '../../src/subscriptions/projection.ts';
import { createStorageTables, type StorageTables, storageTables } from './table.ts';

type AllowanceChanged = Extract<StorageEvent, { type: 'StorageAllowanceChanged' }>;
type FoldedEvent = StoredEvent<DocumentEvent | AllowanceChanged>;

/**
 * Number and bytes of the stored files of each organisation, with its storage allowance. A file
 * whose proof was given up counts: it stays in the storage.
 */
export const storage: ErasableProjection = erasable({
  name: 'storage',
  version: 1,
  types: [
    'DocumentStored',
    'RevisionChained',
    'StorageAllowanceChanged',
  ] satisfies FoldedEvent['type'][],
  tables: storageTables,
  create: createStorageTables,
  async project(trx, events, named) {
    const changes = new Map<string, Change>();
    for (const event of events as readonly FoldedEvent[]) {
      const organisationId = event.organisationId ?? '';
      changes.set(organisationId, fold(changes.get(organisationId) ?? unchanged, event));
    }
    await write(trx, changes, named);
  },
  async erase(trx, organisationIds, named) {
    await trx
      .$extendTables<StorageTables>()
      .deleteFrom(named('stored_files'))
      .where('organisation_id', 'in', organisationIds)
      .execute();
  },
});

/** Files and bytes to add, and the newest allowance if it changed. */
interface Change {
  readonly files: number;
  readonly bytes: number;
  readonly allowance: AllowanceChanged['data']['storageAllowance'] | null;
}

const unchanged: Change = { files: 0, bytes: 0, allowance: null };

function fold(change: Change, event: FoldedEvent): Change {
  if (event.type === 'StorageAllowanceChanged') {
    return { ...change, allowance: event.data.storageAllowance };
  }
  const { files, bytes } = change;
  return { ...change, files: files + 1, bytes: bytes + event.data.fileSizeBytes };
}

async function write(
  trx: Transaction<StoreTables>,
  changes: ReadonlyMap<string, Change>,
  named: Named,
): Promise<void> {
  const all = [...changes.values()];
  await sql`
    INSERT INTO ${sql.table(named('stored_files'))} AS old
      (organisation_id, files, bytes, allowance_bytes, unlimited)
    SELECT *, NULL::bigint, false FROM unnest(
      ${[...changes.keys()]}::text[],
      ${all.map(({ files }) => files)}::bigint[],
      ${all.map(({ bytes }) => bytes)}::bigint[]
    )
    ON CONFLICT (organisation_id) DO UPDATE SET
      files = old.files + excluded.files,
      bytes = old.bytes + excluded.bytes`.execute(trx);
  const changed = [...changes].flatMap(([id, { allowance }]) =>
    allowance === null ? [] : [{ id, allowance }],
  );
  for (const { id, allowance } of changed) {
    await trx
      .$extendTables<StorageTables>()
      .updateTable(named('stored_files'))
      .set({
        allowance_bytes: typeof allowance === 'number' ? allowance : null,
        unlimited: allowance === 'unlimited',
      })
      .where('organisation_id', '=', id)
      .execute();
  }
}
