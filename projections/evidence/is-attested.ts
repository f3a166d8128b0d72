import { sql } from 'kysely';

/**
 * Condition that signatures are on record for the very ledger in which a proof was anchored, whatever
 * other ledgers of the same index proofs were anchored in. `e` is the row of its ledger in
 * `evidence_ledgers`, `other` its row in `divergent_proofs`; both may be absent. Never null.
 */
export const isAttested = sql<boolean>`
  coalesce(e.attested_hash = coalesce(other.ledger_hash, e.proven_hash), false)`;
