import { sql, type Transaction } from 'kysely';
import { blobKeysOf } from '../../src/domain/blob/blob-key.ts';
import type { OrganisationId, ProofId, WorkspaceId } from '../../src/domain/ulid.ts';
import type { StoreTables } from '../../src/event-store/database.ts';
import { type ErasableProjection, erasable } from '../../src/subscriptions/erasable.ts';
import type { Named } from '../../src/subscriptions/projection.ts';
import type { BlockchainStatus } from './blockchain-status.ts';
import { countBlocks } from './blocks.ts';
import {
  type DocumentsEvent,
  foldProofs,
  type KnownProof,
  proofOf,
  type Requested,
} from './fold.ts';
import { createDocumentsTables, type DocumentsTables, documentsTables } from './table.ts';
import { writeProofs } from './write.ts';

const fileFields = [
  ...(['proofId', 'organisationId', 'workspaceId'] as const),
  ...(['fileName', 'description', 'fileSizeBytes', 'mimeType'] as const),
] as const;

/**
 * Proofs of both routes, as lists show them. Each proof that callers can see has one row, with the
 * fields of its document if its bytes are stored. No nonce is stored.
 */
export const documents: ErasableProjection = erasable({
  name: 'documents',
  version: 3,
  types: [
    'ProofRequested',
    'AnchorPrepared',
    'Anchored',
    'AnchorExpired',
    'AnchorRefused',
    'ProofWithdrawn',
    'DocumentStored',
    'RevisionChained',
  ] satisfies DocumentsEvent['type'][],
  tables: documentsTables,
  fields: {
    ProofRequested: [...fileFields, 'network', 'hashScheme', 'commitment', 'fileHash', 'metadata'],
    AnchorPrepared: ['transactionHash', 'previousTransactionHash', 'ledgerId'],
    Anchored: ['transactionHash', 'ledgerId', 'ledgerIndex', 'closeTimeIso'],
    DocumentStored: [...fileFields, 'documentId', 'blobKey', 'classification'],
    RevisionChained: [
      ...([...fileFields, 'documentId', 'blobKey', 'classification'] as const),
      ...(['rootDocumentId', 'revision'] as const),
    ],
  },
  create: createDocumentsTables,
  async project(trx, events, named) {
    await lookUpByKey(trx);
    // List nothing of an erased organisation. Its other events find no row.
    const own = (events as readonly DocumentsEvent[]).filter((event) => !event.erased);
    if (own.length === 0) return;
    const known = await readKnown(trx, own, named);
    const ordinals = await takeOrdinals(trx, own, named);
    const changes = foldProofs(own, known, (event) => ordinals.get(event) ?? unnumbered(event));
    const changed = [...changes.values()];
    await writeProofs(trx, changed, named);
    await countBlocks(trx, changed, named);
  },
  erase: eraseDocuments,
});

async function readKnown(
  trx: Transaction<StoreTables>,
  events: readonly DocumentsEvent[],
  named: Named,
): Promise<ReadonlyMap<ProofId, KnownProof>> {
  const requested = new Set(
    events.flatMap((event) => (event.type === 'ProofRequested' ? [event.data.proofId] : [])),
  );
  const ids = [...new Set(events.map(proofOf))].filter((proofId) => !requested.has(proofId));
  if (ids.length === 0) return new Map();
  const { rows } = await sql<KnownRow>`
    SELECT d.proof_id, d.organisation_id, d.workspace_id, d.ordinal, d.status,
           a.transaction_hash, a.previous_transaction_hash, a.ledger_id, a.ledger_index, a.closed_at
    FROM ${sql.table(named('documents'))} d
    LEFT JOIN ${sql.table(named('document_anchors'))} a USING (proof_id)
    WHERE d.proof_id = ANY(${ids}::text[])`.execute(trx);
  return new Map(rows.map((row) => [row.proof_id, knownProof(row)]));
}

/**
 * Makes PostgreSQL use the keys. Folding reads and changes a few rows of large tables. If tables
 * grow faster than they are analysed, the planner would read them whole.
 */
async function lookUpByKey(trx: Transaction<StoreTables>): Promise<void> {
  await sql`
    SELECT set_config(name, 'off', true)
    FROM unnest(ARRAY['enable_seqscan', 'enable_hashjoin', 'enable_mergejoin']) AS name`.execute(
    trx,
  );
}

interface KnownRow {
  readonly proof_id: ProofId;
  readonly organisation_id: OrganisationId;
  readonly workspace_id: WorkspaceId;
  readonly ordinal: number;
  readonly status: BlockchainStatus;
  readonly transaction_hash: Buffer | null;
  readonly previous_transaction_hash: Buffer | null;
  readonly ledger_id: string | null;
  readonly ledger_index: number | null;
  readonly closed_at: string | null;
}

function knownProof(row: KnownRow): KnownProof {
  const { transaction_hash: hash, ledger_id: ledgerId } = row;
  const anchor = hash !== null &&
    ledgerId !== null && {
      transactionHash: hash.toString('hex'),
      previousTransactionHash: row.previous_transaction_hash?.toString('hex') ?? null,
      ledgerId,
      ledgerIndex: row.ledger_index,
      closedAt: row.closed_at,
    };
  return {
    proofId: row.proof_id,
    organisationId: row.organisation_id,
    workspaceId: row.workspace_id,
    ordinal: row.ordinal,
    status: row.status,
    anchor: anchor || null,
  };
}

/** Numbers the requests of each organisation, in order, from its last number on. */
async function takeOrdinals(
  trx: Transaction<StoreTables>,
  events: readonly DocumentsEvent[],
  named: Named,
): Promise<ReadonlyMap<Requested, number>> {
  const requests = events.filter((event) => event.type === 'ProofRequested');
  const byOrganisation = Map.groupBy(requests, ({ data }) => data.organisationId);
  if (byOrganisation.size === 0) return new Map();
  const organisationIds = [...byOrganisation.keys()];
  const counts = [...byOrganisation.values()].map((own) => own.length);
  const { rows } = await sql<{ organisation_id: OrganisationId; last: number }>`
    INSERT INTO ${sql.table(named('document_ordinals'))} AS old (organisation_id, last)
    SELECT * FROM unnest(${organisationIds}::text[], ${counts}::bigint[])
    ON CONFLICT (organisation_id) DO UPDATE SET last = old.last + excluded.last
    RETURNING organisation_id, last`.execute(trx);
  return new Map(
    rows.flatMap(({ organisation_id, last }) => {
      const own = byOrganisation.get(organisation_id) ?? [];
      return own.map((event, index) => [event, last - own.length + 1 + index] as const);
    }),
  );
}

function unnumbered({ position }: Requested): never {
  throw new Error(`the request at position ${position} was not numbered`);
}

/** Deletes all rows of these organisations, including the blobs of proofs that were given up. */
async function eraseDocuments(
  trx: Transaction<StoreTables>,
  organisationIds: readonly OrganisationId[],
  named: Named,
): Promise<void> {
  const table = (name: keyof DocumentsTables) => sql.table(named(name));
  const theirs = sql`organisation_id = ANY(${organisationIds}::text[])`;
  const proofs = sql`SELECT proof_id FROM ${table('documents')} WHERE ${theirs}`;
  await sql`DELETE FROM ${table('document_anchors')} WHERE proof_id IN (${proofs})`.execute(trx);
  const owned = ['document_details', 'documents', 'document_blocks', 'document_ordinals'] as const;
  for (const name of owned) await sql`DELETE FROM ${table(name)} WHERE ${theirs}`.execute(trx);
  for (const { from, before } of organisationIds.map(blobKeysOf)) {
    await sql`
      DELETE FROM ${table('document_blobs')}
      WHERE blob_key >= ${from} AND blob_key < ${before}`.execute(trx);
  }
}
