import { sql, type Transaction } from 'kysely';
import type { Network } from '../../src/domain/network.ts';
import type { HashScheme } from '../../src/domain/proof/hash-scheme.ts';
import type { StoreTables } from '../../src/event-store/database.ts';
import type { Named } from '../../src/subscriptions/projection.ts';
import type { BlockchainStatus } from './blockchain-status.ts';

/**
 * A proof is a row of `documents`, one of `document_details` and, from its first signed transaction
 * on, one of `document_anchors`. The tables are separate because they are read and changed
 * differently:
 *
 * - `documents` is the table that lists sort and filter by and that a search may read whole. So it
 *   is narrow, with names and descriptions folded. `ordinal` counts the proofs of an organisation
 *   from 1 in the order of their requests. A deleted proof leaves a gap.
 * - `document_details` is wide and rarely changes, so a new status of a proof does not rewrite its
 *   trigram index. A hash-only proof has no document fields.
 * - `document_anchors` holds ledger data. `closed_at` and `ledger_index` are null until the
 *   transaction is in a validated ledger.
 * - `document_blocks` counts proofs by status, per block of `blockSize` ordinals, of each workspace
 *   and of the whole organisation (workspace ''). Totals are its sums, and it locates deep pages.
 * - `document_blobs` holds every blob that an event names, including those of proofs given up.
 */
export type DocumentsTables = {
  documents: {
    proof_id: string;
    organisation_id: string;
    ordinal: number;
    workspace_id: string;
    status: BlockchainStatus;
    file_name: string | null;
    description: string | null;
  };
  document_details: {
    proof_id: string;
    organisation_id: string;
    requested_at: string;
    network: Network;
    hash_scheme: HashScheme;
    commitment: string | null;
    file_hash: Buffer;
    /** JSON as text: it may hold values that PostgreSQL's JSON types cannot. */
    metadata: string | null;
    file_name: string | null;
    file_size_bytes: number | null;
    mime_type: string | null;
    description: string | null;
    document_id: string | null;
    root_document_id: string | null;
    revision: number | null;
    blob_key: string | null;
    /** JSON as text, like `metadata`. */
    classification: string | null;
    run_id: string | null;
    uploaded_at: string | null;
    trigrams: readonly number[];
  };
  document_anchors: {
    proof_id: string;
    transaction_hash: Buffer;
    previous_transaction_hash: Buffer | null;
    ledger_id: string;
    ledger_index: number | null;
    closed_at: string | null;
  };
  document_blocks: {
    organisation_id: string;
    workspace_id: string;
    block: number;
    pending: number;
    processing: number;
    completed: number;
  };
  document_ordinals: { organisation_id: string; last: number };
  document_blobs: { blob_key: string };
};

export const blockSize = 1_000;

export const documentsTables: readonly (keyof DocumentsTables)[] = [
  'documents',
  'document_details',
  'document_anchors',
  'document_blocks',
  'document_ordinals',
  'document_blobs',
];

export async function createDocumentsTables(
  trx: Transaction<StoreTables>,
  named: Named,
): Promise<void> {
  const table = (name: keyof DocumentsTables) => sql.table(named(name));
  // The fill factor leaves room in each page, so that a changed status stays in its page and the
  // indexes need no update.
  await sql`
    CREATE TABLE ${table('documents')} (
      ordinal bigint NOT NULL,
      organisation_id text COLLATE "C" NOT NULL,
      file_name text COLLATE "C",
      description text COLLATE "C",
      workspace_id text COLLATE "C" NOT NULL,
      status text COLLATE "C" NOT NULL,
      proof_id text COLLATE "C" PRIMARY KEY
    ) WITH (fillfactor = 70)`.execute(trx);
  await sql`
    CREATE UNIQUE INDEX ON ${table('documents')} (organisation_id, ordinal)`.execute(trx);
  await createDetails(trx, table('document_details'));
  await sql`
    CREATE TABLE ${table('document_anchors')} (
      proof_id text COLLATE "C" PRIMARY KEY,
      transaction_hash bytea NOT NULL,
      previous_transaction_hash bytea,
      ledger_id text NOT NULL,
      ledger_index bigint,
      closed_at text
    ) WITH (fillfactor = 70)`.execute(trx);
  await sql`CREATE INDEX ON ${table('document_anchors')} (transaction_hash)`.execute(trx);
  await sql`
    CREATE TABLE ${table('document_blocks')} (
      organisation_id text COLLATE "C" NOT NULL,
      workspace_id text COLLATE "C" NOT NULL,
      block bigint NOT NULL,
      pending bigint NOT NULL,
      processing bigint NOT NULL,
      completed bigint NOT NULL,
      PRIMARY KEY (organisation_id, workspace_id, block)
    ) WITH (fillfactor = 50)`.execute(trx);
  await sql`
    CREATE TABLE ${table('document_ordinals')} (
      organisation_id text COLLATE "C" PRIMARY KEY,
      last bigint NOT NULL
    ) WITH (fillfactor = 50)`.execute(trx);
  await sql`
    CREATE TABLE ${table('document_blobs')} (blob_key text COLLATE "C" PRIMARY KEY)`.execute(trx);
}

type Table = ReturnType<typeof sql.table>;

async function createDetails(trx: Transaction<StoreTables>, details: Table): Promise<void> {
  await sql`
    CREATE TABLE ${details} (
      proof_id text COLLATE "C" PRIMARY KEY,
      organisation_id text COLLATE "C" NOT NULL,
      requested_at text NOT NULL,
      network text NOT NULL,
      hash_scheme text NOT NULL,
      commitment text,
      file_hash bytea NOT NULL,
      metadata text,
      file_name text,
      file_size_bytes bigint,
      mime_type text,
      description text,
      document_id text COLLATE "C",
      root_document_id text COLLATE "C",
      revision integer,
      blob_key text,
      classification text,
      run_id text COLLATE "C",
      uploaded_at text,
      trigrams integer[] NOT NULL
    )`.execute(trx);
  // No statistics: they are costly to gather for trigrams and would mislead the planner.
  // `planSearch` has already decided whether a search uses the index.
  await sql`ALTER TABLE ${details} ALTER trigrams SET STATISTICS 0`.execute(trx);
  await sql`
    CREATE INDEX ON ${details} USING gin (trigrams) WITH (gin_pending_list_limit = 512)`.execute(
    trx,
  );
  await sql`CREATE INDEX ON ${details} (organisation_id, file_hash)`.execute(trx);
  // Found by equality only; a hash index is small.
  await sql`CREATE INDEX ON ${details} USING hash (commitment)`.execute(trx);
  await sql`
    CREATE UNIQUE INDEX ON ${details} (document_id) WHERE document_id IS NOT NULL`.execute(trx);
  await sql`
    CREATE INDEX ON ${details} (root_document_id, revision) WHERE document_id IS NOT NULL`.execute(
    trx,
  );
  await sql`
    CREATE INDEX ON ${details} (organisation_id, run_id) WHERE run_id IS NOT NULL`.execute(trx);
}
