import { type RawBuilder, sql, type Transaction } from 'kysely';
import { textArray } from '../../src/event-store/binary-array.ts';
import type { StoreTables } from '../../src/event-store/database.ts';
import type { Named } from '../../src/subscriptions/projection.ts';
import type { KnownProof, ProofChange } from './fold.ts';
import { type ColumnTypes, insertRows, rowSet } from './row-set.ts';
import { detailsRow, documentRow, type FileRow, fileRow } from './rows.ts';
import type { DocumentsTables } from './table.ts';

/** Writes changes of proofs, in a few statements for any number of proofs. */
export async function writeProofs(
  trx: Transaction<StoreTables>,
  changes: readonly ProofChange[],
  named: Named,
): Promise<void> {
  const writer: Writer = { trx, named, table: (name) => sql.table(named(name)) };
  await deleteVanished(writer, changes);
  await insertNew(writer, changes);
  await updateFiles(writer, changes);
  await updateStatuses(writer, changes);
  await writeAnchors(writer, changes);
  await insertBlobs(writer, changes);
}

interface Writer {
  readonly trx: Transaction<StoreTables>;
  readonly named: Named;
  readonly table: (name: keyof DocumentsTables) => RawBuilder<unknown>;
}

const documentTypes: ColumnTypes<DocumentsTables['documents']> = {
  proof_id: 'text',
  organisation_id: 'text',
  ordinal: 'bigint',
  workspace_id: 'text',
  status: 'text',
  file_name: 'text',
  description: 'text',
};

const fileTypes: ColumnTypes<FileRow> = {
  proof_id: 'text',
  file_name: 'text',
  file_size_bytes: 'bigint',
  mime_type: 'text',
  description: 'text',
  document_id: 'text',
  root_document_id: 'text',
  revision: 'integer',
  blob_key: 'text',
  classification: 'text',
  run_id: 'text',
  uploaded_at: 'text',
  trigrams: 'integer[]',
};

const detailsTypes: ColumnTypes<DocumentsTables['document_details']> = {
  ...fileTypes,
  organisation_id: 'text',
  requested_at: 'text',
  network: 'text',
  hash_scheme: 'text',
  commitment: 'text',
  file_hash: 'bytea',
  metadata: 'text',
};

const anchorTypes: ColumnTypes<DocumentsTables['document_anchors']> = {
  proof_id: 'text',
  transaction_hash: 'bytea',
  previous_transaction_hash: 'bytea',
  ledger_id: 'text',
  ledger_index: 'bigint',
  closed_at: 'text',
};

async function deleteVanished({ trx, table }: Writer, changes: readonly ProofChange[]) {
  const gone = changes.flatMap(({ before, after }) => (before && !after ? [before.proofId] : []));
  if (gone.length === 0) return;
  const tables = ['documents', 'document_details', 'document_anchors'] as const;
  for (const name of tables) {
    await sql`DELETE FROM ${table(name)} WHERE proof_id = ANY(${gone}::text[])`.execute(trx);
  }
}

async function insertNew({ trx, named }: Writer, changes: readonly ProofChange[]) {
  const rows = changes.flatMap(({ after, requested, stored }) => {
    if (after === null || requested === null) return [];
    const details = detailsRow(requested, stored);
    return [{ details, document: documentRow(after, details) }];
  });
  if (rows.length === 0) return;
  const documents = rows.map(({ document }) => document);
  await insertRows(trx, named('documents'), documents, documentTypes);
  const details = rows.map((row) => row.details);
  await insertRows(trx, named('document_details'), details, detailsTypes);
}

/** Updates proofs of hashes whose bytes were stored later. */
async function updateFiles({ trx, table }: Writer, changes: readonly ProofChange[]) {
  const rows = changes.flatMap(({ after, requested, stored }) => {
    if (after === null || requested !== null || stored === null) return [];
    const file = fileRow(stored);
    return [{ file, document: documentRow(after, file) }];
  });
  if (rows.length === 0) return;
  const { proof_id, file_name, description } = documentTypes;
  const names = rowSet(
    rows.map(({ document }) => ({
      proof_id: document.proof_id,
      file_name: document.file_name,
      description: document.description,
    })),
    { proof_id, file_name, description },
  );
  const files = rowSet(
    rows.map(({ file }) => file),
    fileTypes,
  );
  await sql`
    UPDATE ${table('documents')} AS old
    SET file_name = new.file_name, description = new.description
    FROM ${names.from} WHERE old.proof_id = new.proof_id`.execute(trx);
  await sql`
    UPDATE ${table('document_details')} AS old SET (${files.columns}) = ROW(${files.values})
    FROM ${files.from} WHERE old.proof_id = new.proof_id`.execute(trx);
}

async function updateStatuses({ trx, table }: Writer, changes: readonly ProofChange[]) {
  const moved = changes.flatMap(({ before, after }) =>
    before && after && before.status !== after.status ? [after] : [],
  );
  if (moved.length === 0) return;
  const { proof_id, status } = documentTypes;
  const rows = moved.map((proof) => ({ proof_id: proof.proofId, status: proof.status }));
  await sql`
    UPDATE ${table('documents')} AS old SET status = new.status
    FROM ${rowSet(rows, { proof_id, status }).from}
    WHERE old.proof_id = new.proof_id`.execute(trx);
}

async function writeAnchors({ trx, named, table }: Writer, changes: readonly ProofChange[]) {
  const dropped: string[] = [];
  const first: DocumentsTables['document_anchors'][] = [];
  const rows: DocumentsTables['document_anchors'][] = [];
  for (const { before, after } of changes) {
    const known = before?.anchor ?? null;
    if (after === null || after.anchor === known) continue;
    if (after.anchor === null) dropped.push(after.proofId);
    else (known === null ? first : rows).push(anchorRow(after, after.anchor));
  }
  await insertRows(trx, named('document_anchors'), first, anchorTypes);
  if (dropped.length > 0) {
    await sql`
      DELETE FROM ${table('document_anchors')}
      WHERE proof_id = ANY(${dropped}::text[])`.execute(trx);
  }
  if (rows.length === 0) return;
  const anchors = rowSet(rows, anchorTypes);
  await sql`
    UPDATE ${table('document_anchors')} AS old SET (${anchors.columns}) = ROW(${anchors.values})
    FROM ${anchors.from} WHERE old.proof_id = new.proof_id`.execute(trx);
}

function anchorRow(
  { proofId }: KnownProof,
  anchor: NonNullable<KnownProof['anchor']>,
): DocumentsTables['document_anchors'] {
  const { transactionHash, previousTransactionHash, ledgerId, ledgerIndex, closedAt } = anchor;
  return {
    proof_id: proofId,
    transaction_hash: Buffer.from(transactionHash, 'hex'),
    previous_transaction_hash:
      previousTransactionHash === null ? null : Buffer.from(previousTransactionHash, 'hex'),
    ledger_id: ledgerId,
    ledger_index: ledgerIndex,
    closed_at: closedAt,
  };
}

/**
 * Inserts the blob of every stored file, whatever the state of its proof: an event names the blob.
 */
async function insertBlobs({ trx, table }: Writer, changes: readonly ProofChange[]) {
  const keys = changes.flatMap(({ stored }) => (stored ? [stored.data.blobKey] : []));
  if (keys.length === 0) return;
  await sql`
    INSERT INTO ${table('document_blobs')} (blob_key)
    SELECT * FROM unnest(${textArray(keys)}::text[]) ON CONFLICT DO NOTHING`.execute(trx);
}
