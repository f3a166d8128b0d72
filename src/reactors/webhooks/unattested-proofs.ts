import { type RawBuilder, sql, type Transaction } from 'kysely';
import type pg from 'pg';
import { encodeTime } from 'ulid';
import type { StoreTables } from '../../event-store/database.ts';

/** Index of a ledger in its chain; servers may show several ledgers for it. */
export interface LedgerIndexInChain {
  readonly ledgerId: string;
  readonly ledgerIndex: number;
}

/** An anchored proof for which `proof.attested` is or will be raised. */
export interface AnchoredProof extends LedgerIndexInChain {
  readonly proofId: string;
  readonly organisationId: string;
  /** Position of the anchoring: endpoints that were registered later receive nothing about it. */
  readonly position: number;
  readonly ledgerHash: string;
}

/** Anchored proofs without an attestation, by ledger: those of some ledgers, and new ones. */
export class UnattestedProofs {
  readonly #byLedger = new Map<string, Map<number, AnchoredProof[]>>();
  readonly #stored: ReadonlySet<string>;
  /** Proofs that are still waiting and have no row yet. */
  readonly #added = new Map<string, AnchoredProof>();
  readonly #taken: string[] = [];
  readonly #gone = new Set<string>();
  readonly #erased = new Set<string>();
  /** By organisation: proofs that were anchored before this position have no endpoint any more. */
  readonly #unheard = new Map<string, number>();

  private constructor(stored: readonly AnchoredProof[]) {
    this.#stored = new Set(stored.map(({ proofId }) => proofId));
    for (const proof of stored) this.#keep(proof);
  }

  /** Loads the proofs in these ledgers. */
  static async load(
    trx: Transaction<StoreTables>,
    ledgers: readonly LedgerIndexInChain[],
  ): Promise<UnattestedProofs> {
    if (ledgers.length === 0) return new UnattestedProofs([]);
    const { rows } = await sql<UnattestedRow>`
      SELECT w.* FROM unnest(
        ${ledgers.map(({ ledgerId }) => ledgerId)}::text[],
        ${ledgers.map(({ ledgerIndex }) => ledgerIndex)}::bigint[]
      ) AS ledger(ledger_id, ledger_index)
      JOIN webhook_unattested_proofs w USING (ledger_id, ledger_index)
      ORDER BY w.position`.execute(trx);
    return new UnattestedProofs(rows.map(toProof));
  }

  get organisations(): readonly string[] {
    const proofs = [...this.#byLedger.values()].flatMap((indexes) => [...indexes.values()].flat());
    return [...new Set(proofs.map(({ organisationId }) => organisationId))];
  }

  add(proof: AnchoredProof): void {
    this.#keep(proof);
    this.#added.set(proof.proofId, proof);
  }

  /** Removes and returns the proofs of all ledgers with this index, ascending by position. */
  take({ ledgerId, ledgerIndex }: LedgerIndexInChain): readonly AnchoredProof[] {
    const indexes = this.#byLedger.get(ledgerId);
    const proofs = indexes?.get(ledgerIndex) ?? [];
    indexes?.delete(ledgerIndex);
    for (const { proofId } of proofs) {
      this.#added.delete(proofId);
      if (this.#stored.has(proofId)) this.#taken.push(proofId);
    }
    return proofs;
  }

  /** Removes all proofs of a chain that does not exist any more. */
  dropChain(ledgerId: string): void {
    for (const index of [...(this.#byLedger.get(ledgerId)?.keys() ?? [])])
      this.take({ ledgerId, ledgerIndex: index });
    this.#gone.add(ledgerId);
  }

  /** Removes all proofs of an erased organisation. Its erasure is its last event. */
  dropOrganisation(organisationId: string): void {
    this.#erased.add(organisationId);
  }

  /** Removes an organisation's proofs that were anchored before a position: no endpoint is as old. */
  dropUnheard(organisationId: string, before: number): void {
    this.#unheard.set(organisationId, before);
  }

  async save(trx: Transaction<StoreTables>): Promise<void> {
    const table = sql.table('webhook_unattested_proofs');
    if (this.#erased.size > 0) {
      await sql`
        DELETE FROM ${table} WHERE organisation_id = ANY(${[...this.#erased]}::text[])`.execute(
        trx,
      );
    }
    if (this.#gone.size > 0) {
      await sql`DELETE FROM ${table} WHERE ledger_id = ANY(${[...this.#gone]}::text[])`.execute(
        trx,
      );
    }
    if (this.#taken.length > 0) {
      await sql`DELETE FROM ${table} WHERE proof_id = ANY(${this.#taken}::text[])`.execute(trx);
    }
    await this.#insert(trx, table);
    if (this.#unheard.size > 0) {
      const unheard = [...this.#unheard];
      await sql`
        DELETE FROM ${table} w USING unnest(
          ${unheard.map(([organisationId]) => organisationId)}::text[],
          ${unheard.map(([, before]) => before)}::bigint[]) AS unheard(organisation_id, before)
        WHERE w.organisation_id = unheard.organisation_id AND w.position < unheard.before`.execute(
        trx,
      );
    }
  }

  async #insert(trx: Transaction<StoreTables>, table: RawBuilder<unknown>): Promise<void> {
    const added = [...this.#added.values()].filter(
      ({ organisationId }) => !this.#erased.has(organisationId),
    );
    if (added.length === 0) return;
    await sql`
      INSERT INTO ${table} (proof_id, organisation_id, ledger_id, ledger_index, ledger_hash, position)
      SELECT * FROM unnest(
        ${added.map(({ proofId }) => proofId)}::text[],
        ${added.map(({ organisationId }) => organisationId)}::text[],
        ${added.map(({ ledgerId }) => ledgerId)}::text[],
        ${added.map(({ ledgerIndex }) => ledgerIndex)}::bigint[],
        ${added.map(({ ledgerHash }) => ledgerHash)}::text[],
        ${added.map(({ position }) => position)}::bigint[])
      ON CONFLICT (proof_id) DO NOTHING`.execute(trx);
  }

  #keep(proof: AnchoredProof): void {
    const { ledgerId, ledgerIndex } = proof;
    const indexes = this.#byLedger.get(ledgerId) ?? new Map<number, AnchoredProof[]>();
    this.#byLedger.set(ledgerId, indexes);
    const proofs = indexes.get(ledgerIndex);
    if (proofs === undefined) indexes.set(ledgerIndex, [proof]);
    else proofs.push(proof);
  }
}

const keptMs = 30 * 86_400_000;
const prunedAtOnce = 5_000;

/**
 * Deletes a batch of proofs that were anchored 30 days ago or earlier: no `proof.attested` is raised
 * for them any more. Returns the number deleted.
 */
export async function pruneUnattested(pool: pg.Pool, now: Date): Promise<number> {
  const oldest = new Date(now.getTime() - keptMs);
  // A proof is anchored after its request, whose time is in its id: only old ids are looked up.
  const { rowCount } = await pool.query(
    `DELETE FROM webhook_unattested_proofs WHERE proof_id IN (
       SELECT w.proof_id FROM webhook_unattested_proofs w JOIN events e USING (position)
       WHERE w.proof_id < $1 AND e.recorded_at < $2 LIMIT ${prunedAtOnce})`,
    [encodeTime(oldest.getTime()), oldest.toISOString()],
  );
  return rowCount ?? 0;
}

interface UnattestedRow {
  readonly proof_id: string;
  readonly organisation_id: string;
  readonly ledger_id: string;
  readonly ledger_index: number;
  readonly ledger_hash: string;
  readonly position: number;
}

function toProof(row: UnattestedRow): AnchoredProof {
  return {
    proofId: row.proof_id,
    organisationId: row.organisation_id,
    position: row.position,
    ledgerId: row.ledger_id,
    ledgerIndex: row.ledger_index,
    ledgerHash: row.ledger_hash,
  };
}
