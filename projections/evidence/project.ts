import { sql, type Transaction } from 'kysely';
import type { LedgerAttested, LedgerLinked } from '../../src/domain/attestation/events.ts';
import { isProvable } from '../../src/domain/attestation/is-provable.ts';
import type { Anchored, CertificateIssued } from '../../src/domain/proof/events.ts';
import { proofOfStream } from '../../src/domain/streams.ts';
import type { StoreTables } from '../../src/event-store/database.ts';
import type { StoredEvent } from '../../src/event-store/stored-event.ts';
import { type ErasableProjection, erasable } from '../../src/subscriptions/erasable.ts';
import type { Named } from '../../src/subscriptions/projection.ts';
import { isAttested } from './is-attested.ts';
import { createEvidenceTables, type EvidenceTables, evidenceTables } from './table.ts';

type EvidenceEvent = StoredEvent<Anchored | LedgerAttested | LedgerLinked | CertificateIssued>;

/**
 * Ledgers with proofs of ours whose validators' signatures are on record, and certificates that lack
 * them. One row for each ledger, not for each proof, except for proofs in a ledger of another hash.
 * No field it reads is confidential.
 */
export const evidence: ErasableProjection = erasable({
  name: 'evidence',
  version: 2,
  types: [
    'Anchored',
    'LedgerAttested',
    'LedgerLinked',
    'CertificateIssued',
  ] satisfies EvidenceEvent['type'][],
  tables: evidenceTables,
  fields: {
    Anchored: ['ledgerId', 'ledgerIndex', 'ledgerHash'],
    CertificateIssued: ['attestation', 'ledger'],
  },
  create: createEvidenceTables,
  async project(trx, events, named) {
    const own = events as readonly EvidenceEvent[];
    const ledgers = ledgersIn(own);
    const provenHashes = await writeLedgers(trx, ledgers, named);
    await writeDivergent(trx, own, provenHashes, named);
    const issued = await writeCertificates(trx, own, named);
    await markDue(trx, [...ledgers, ...issued], named);
  },
  async erase(trx, organisationIds, named) {
    const tables = trx.$extendTables<EvidenceTables>();
    for (const table of ['bare_certificates', 'divergent_proofs'] as const) {
      await tables
        .deleteFrom(named(table))
        .where('organisation_id', 'in', organisationIds)
        .execute();
    }
  },
});

interface LedgerKey {
  readonly ledgerId: string;
  readonly ledgerIndex: number;
}

interface FoldedLedger extends LedgerKey {
  readonly provenHash: string | null;
  readonly attestedHash: string | null;
}

function ledgersIn(events: readonly EvidenceEvent[]): readonly FoldedLedger[] {
  const ledgers = new Map<string, FoldedLedger>();
  for (const event of events) {
    if (event.type === 'CertificateIssued') continue;
    const { ledgerId, ledgerIndex, ledgerHash } = event.data;
    const key = keyOf(event.data);
    const fresh = { provenHash: null, attestedHash: null };
    const known = ledgers.get(key) ?? { ledgerId, ledgerIndex, ...fresh };
    if (event.type === 'Anchored')
      ledgers.set(key, { ...known, provenHash: known.provenHash ?? ledgerHash });
    else if (isProvable(event))
      ledgers.set(key, { ...known, attestedHash: known.attestedHash ?? ledgerHash });
  }
  return [...ledgers.values()];
}

/** Returns the hash of the ledger in which the first proof was anchored, in hex, by `keyOf`. */
async function writeLedgers(
  trx: Transaction<StoreTables>,
  ledgers: readonly FoldedLedger[],
  named: Named,
): Promise<ReadonlyMap<string, string>> {
  if (ledgers.length === 0) return new Map();
  const toBytes = (hash: string | null) => hash && Buffer.from(hash, 'hex');
  const { rows } = await sql<EvidenceTables['evidence_ledgers']>`
    INSERT INTO ${sql.table(named('evidence_ledgers'))} AS old
      (ledger_id, ledger_index, proven_hash, attested_hash)
    SELECT * FROM unnest(
      ${ledgers.map(({ ledgerId }) => ledgerId)}::text[],
      ${ledgers.map(({ ledgerIndex }) => ledgerIndex)}::bigint[],
      ${ledgers.map(({ provenHash }) => toBytes(provenHash))}::bytea[],
      ${ledgers.map(({ attestedHash }) => toBytes(attestedHash))}::bytea[])
    ON CONFLICT (ledger_id, ledger_index) DO UPDATE SET
      proven_hash = coalesce(old.proven_hash, excluded.proven_hash),
      attested_hash = coalesce(old.attested_hash, excluded.attested_hash)
    RETURNING *`.execute(trx);
  return new Map(
    rows.flatMap(({ ledger_id: ledgerId, ledger_index: ledgerIndex, proven_hash: hash }) =>
      hash === null ? [] : [[keyOf({ ledgerId, ledgerIndex }), hash.toString('hex')] as const],
    ),
  );
}

/** Keeps the hashes of proofs whose ledger is not the one of the first proof of the same index. */
async function writeDivergent(
  trx: Transaction<StoreTables>,
  events: readonly EvidenceEvent[],
  provenHashes: ReadonlyMap<string, string>,
  named: Named,
): Promise<void> {
  const divergent = events
    .filter((event) => event.type === 'Anchored')
    .filter(({ data }) => data.ledgerHash.toLowerCase() !== provenHashes.get(keyOf(data)));
  if (divergent.length === 0) return;
  await sql`
    INSERT INTO ${sql.table(named('divergent_proofs'))} (proof_id, organisation_id, ledger_hash)
    SELECT * FROM unnest(
      ${divergent.map(proofOf)}::text[],
      ${divergent.map(({ organisationId }) => organisationId)}::text[],
      ${divergent.map(({ data }) => Buffer.from(data.ledgerHash, 'hex'))}::bytea[])`.execute(trx);
}

/** Returns the ledgers of the certificates that were added. */
async function writeCertificates(
  trx: Transaction<StoreTables>,
  events: readonly EvidenceEvent[],
  named: Named,
): Promise<readonly LedgerKey[]> {
  const table = sql.table(named('bare_certificates'));
  const issued = events.filter((event) => event.type === 'CertificateIssued');
  // Of each proof the newest certificate counts.
  const newest = [...new Map(issued.map((event) => [proofOf(event), event])).values()];
  const complete = newest.filter(({ data }) => data.attestation !== null);
  if (complete.length > 0) {
    await sql`
      DELETE FROM ${table} WHERE proof_id = ANY(${complete.map(proofOf)}::text[])`.execute(trx);
  }
  const bare = newest.flatMap((event) => {
    const { attestation, ledger } = event.data;
    if (attestation !== null || ledger === null) return [];
    return [{ proofId: proofOf(event), organisationId: event.organisationId, ...ledger }];
  });
  if (bare.length === 0) return [];
  await sql`
    INSERT INTO ${table} (proof_id, organisation_id, ledger_id, ledger_index, is_due)
    SELECT *, false FROM unnest(
      ${bare.map(({ proofId }) => proofId)}::text[],
      ${bare.map(({ organisationId }) => organisationId)}::text[],
      ${bare.map(({ ledgerId }) => ledgerId)}::text[],
      ${bare.map(({ ledgerIndex }) => ledgerIndex)}::bigint[])
    ON CONFLICT (proof_id) DO UPDATE
      SET ledger_id = excluded.ledger_id, ledger_index = excluded.ledger_index`.execute(trx);
  return bare;
}

/** Brings `is_due` of all certificates of these ledgers up to date. */
async function markDue(
  trx: Transaction<StoreTables>,
  ledgers: readonly LedgerKey[],
  named: Named,
): Promise<void> {
  if (ledgers.length === 0) return;
  const certificates = sql.table(named('bare_certificates'));
  await sql`
    UPDATE ${certificates} c SET is_due = found.is_due
    FROM (
      SELECT own.proof_id, ${isAttested} AS is_due
      FROM unnest(
        ${ledgers.map(({ ledgerId }) => ledgerId)}::text[],
        ${ledgers.map(({ ledgerIndex }) => ledgerIndex)}::bigint[]) AS one(ledger_id, ledger_index)
      JOIN ${certificates} own USING (ledger_id, ledger_index)
      JOIN ${sql.table(named('evidence_ledgers'))} e USING (ledger_id, ledger_index)
      LEFT JOIN ${sql.table(named('divergent_proofs'))} other USING (proof_id)
    ) found
    WHERE c.proof_id = found.proof_id AND c.is_due <> found.is_due`.execute(trx);
}

function proofOf({ stream, type }: EvidenceEvent): string {
  const proofId = proofOfStream(stream);
  if (proofId === null) throw new Error(`${type} in the stream ${stream}`);
  return proofId;
}

function keyOf({ ledgerId, ledgerIndex }: LedgerKey): string {
  return `${ledgerId} ${ledgerIndex}`;
}
