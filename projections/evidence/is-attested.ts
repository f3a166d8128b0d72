import { sql } from 'kysely';

/**
 * Condition on a row `e` of `evidence_ledgers`: signatures are on record for the very ledger in which
 * our proofs were anchored. Never null.
 */
export const isAttested = sql<boolean>`(
  coalesce(e.attested_hash = e.proven_hash, false) AND NOT e.is_disputed)`;
