import { type RawBuilder, sql } from 'kysely';
import { type DueProof, secondEvidenceWaitHours } from '../../src/domain/proof/due-proof.ts';
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

interface DueRow {
  readonly proof_id: ProofId;
  readonly organisation_id: OrganisationId;
  readonly is_attested: boolean;
}

/**
 * Proofs whose newest certificate lacks signatures that are on record: at most `limit`, without those
 * of closed organisations, and without `except`.
 */
export async function dueSuccessors(
  db: ReadModels,
  limit: number,
  except: readonly ProofId[],
): Promise<readonly DueProof[]> {
  return read(
    db,
    sql<DueRow>`
      SELECT proof_id, organisation_id, true AS is_attested FROM bare_certificates b
      WHERE is_due AND ${isOpen('b', except)}
      ORDER BY proof_id LIMIT ${limit}`,
  );
}

/**
 * As `dueSuccessors`, and also proofs whose newest certificate lacks a time-stamp token that is on
 * record. A certificate that lacks both waits for the second, `secondEvidenceWaitHours` at most.
 */
export async function dueStampedSuccessors(
  db: ReadModels,
  limit: number,
  except: readonly ProofId[],
): Promise<readonly DueProof[]> {
  const isCovered = sql`u.position <= (SELECT max(size) FROM timestamps)`;
  const hasWaited = sql`u.issued_at < now() - make_interval(hours => ${secondEvidenceWaitHours})`;
  return read(
    db,
    sql<DueRow>`
      SELECT * FROM (
        (SELECT b.proof_id, b.organisation_id, true AS is_attested
         FROM bare_certificates b
         LEFT JOIN unstamped_certificates u USING (proof_id)
         WHERE b.is_due AND (u.proof_id IS NULL OR ${isCovered} OR ${hasWaited})
           AND ${isOpen('b', except)}
         ORDER BY b.proof_id LIMIT ${limit})
        UNION
        (SELECT u.proof_id, u.organisation_id, coalesce(b.is_due, false) AS is_attested
         FROM unstamped_certificates u
         LEFT JOIN bare_certificates b USING (proof_id)
         WHERE ${isCovered} AND (b.proof_id IS NULL OR b.is_due OR ${hasWaited})
           AND ${isOpen('u', except)}
         ORDER BY u.position LIMIT ${limit})
      ) due LIMIT ${limit}`,
  );
}

/** Condition that the certificate of a row is not of a closed organisation, nor of `except`. */
function isOpen(table: string, except: readonly ProofId[]) {
  const column = (name: string) => sql.ref(`${table}.${name}`);
  return sql`
    ${column('proof_id')} <> ALL(${except}::text[])
    AND NOT EXISTS (
      SELECT FROM closed_organisations c
      WHERE c.organisation_id = ${column('organisation_id')})`;
}

async function read(db: ReadModels, query: RawBuilder<DueRow>): Promise<readonly DueProof[]> {
  const { rows } = await query.execute(db);
  return rows.map((row) => ({
    proofId: row.proof_id,
    organisationId: row.organisation_id,
    lacksSignatures: row.is_attested,
  }));
}
