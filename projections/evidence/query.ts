import { sql } from 'kysely';
import type { OrganisationId, ProofId } from '../../src/domain/ulid.ts';
import type { ReadModels } from '../../src/subscriptions/projection.ts';

/** True if signatures of its validators are on record for this ledger, as far as the log was folded. */
export async function isLedgerAttested(
  db: ReadModels,
  ledger: { readonly ledgerId: string; readonly ledgerIndex: number; readonly ledgerHash: string },
): Promise<boolean> {
  const { rows } = await sql`
    SELECT FROM evidence_ledgers e
    WHERE e.ledger_id = ${ledger.ledgerId} AND e.ledger_index = ${ledger.ledgerIndex}
      AND e.attested_hash = ${Buffer.from(ledger.ledgerHash, 'hex')}`.execute(db);
  return rows.length > 0;
}

/**
 * Proofs whose newest certificate lacks signatures that are on record: at most `limit`, without those
 * of closed organisations, and without `except`.
 */
export async function dueSuccessors(
  db: ReadModels,
  limit: number,
  except: readonly ProofId[],
): Promise<readonly { readonly proofId: ProofId; readonly organisationId: OrganisationId }[]> {
  const { rows } = await sql<{ proof_id: ProofId; organisation_id: OrganisationId }>`
    SELECT proof_id, organisation_id FROM bare_certificates b
    WHERE is_due AND proof_id <> ALL(${except}::text[])
      AND NOT EXISTS (
        SELECT FROM closed_organisations c WHERE c.organisation_id = b.organisation_id)
    ORDER BY proof_id LIMIT ${limit}`.execute(db);
  return rows.map((row) => ({ proofId: row.proof_id, organisationId: row.organisation_id }));
}
