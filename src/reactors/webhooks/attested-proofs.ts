import { sql, type Transaction } from 'kysely';
import type { LedgerAttested, LedgerLinked } from '../../domain/attestation/events.ts';
import { isProvable } from '../../domain/attestation/is-provable.ts';
import type { Anchored } from '../../domain/proof/events.ts';
import { proofOfStream, streams } from '../../domain/streams.ts';
import type { StoreTables } from '../../event-store/database.ts';
import type { EventStore } from '../../event-store/event-store.ts';
import type { StoredEvent } from '../../event-store/stored-event.ts';
import type { Endpoints } from './endpoints.ts';

/** An anchored proof for which `proof.attested` is or will be raised. */
export interface AnchoredProof {
  readonly proofId: string;
  readonly organisationId: string;
  /** Position of the anchoring: endpoints that were registered later receive nothing about it. */
  readonly position: number;
  readonly ledgerId: string;
  readonly ledgerIndex: number;
  readonly ledgerHash: string;
}

type Attestation = StoredEvent<LedgerAttested | LedgerLinked>;

/** Types of event that can raise `proof.attested`, each perhaps for several proofs. */
export const attestingTypes = ['Anchored', 'LedgerAttested', 'LedgerLinked'] as const;

/**
 * Anchored proofs whose ledger's signatures are not on record yet. They have a table of their own,
 * since the event of a ledger does not name its proofs. Leaves out proofs of organisations without
 * an endpoint.
 */
export class AttestedProofs {
  readonly #waiting: Map<string, AnchoredProof>;
  readonly #added = new Set<string>();
  readonly #removed = new Set<string>();
  /** Ledgers that were attested before these events, by `keyOf`, with their hash. */
  readonly #before: ReadonlyMap<string, string>;
  readonly #erased: string[] = [];

  private constructor(waiting: readonly AnchoredProof[], before: ReadonlyMap<string, string>) {
    this.#waiting = new Map(waiting.map((proof) => [proof.proofId, proof]));
    this.#before = before;
  }

  /** Loads all that `raisedBy` needs for these events. */
  static async load(
    trx: Transaction<StoreTables>,
    store: Pick<EventStore, 'readStreams'>,
    events: readonly StoredEvent[],
    mayListen: (organisationId: string) => boolean,
  ): Promise<AttestedProofs> {
    const anchored = events.filter(
      (event) => event.type === 'Anchored' && mayListen(event.organisationId ?? ''),
    ) as readonly StoredEvent<Anchored>[];
    const names = anchored.map(({ data }) => streams.attestation(data.ledgerId, data.ledgerIndex));
    const found = names.length === 0 ? null : await store.readStreams([...new Set(names)]);
    const before = new Map<string, string>();
    for (const event of anchored) {
      const { ledgerId, ledgerIndex } = event.data;
      const recorded = found?.get(streams.attestation(ledgerId, ledgerIndex))?.[0];
      if (recorded === undefined || !isProvable(recorded)) continue;
      if (recorded.position < event.position)
        before.set(keyOf(event.data), recorded.data.ledgerHash);
    }
    return new AttestedProofs(await loadWaiting(trx, events.filter(isAttestation)), before);
  }

  /** Organisations of the proofs that were loaded. */
  get organisations(): readonly string[] {
    return [...this.#waiting.values()].map(({ organisationId }) => organisationId);
  }

  /** Folds an event. Returns the proofs for which it raises `proof.attested`. */
  raisedBy(event: StoredEvent, endpoints: Pick<Endpoints, 'isListening'>): AnchoredProof[] {
    if (event.type === 'Anchored') return this.#anchored(event, endpoints);
    if (event.type === 'OrganisationErased') this.#erase(event.data.organisationId);
    if (!isAttestation(event)) return [];
    const key = keyOf(event.data);
    const attested = [...this.#waiting.values()].filter(
      (proof) => keyOf(proof) === key && proof.ledgerHash === event.data.ledgerHash,
    );
    for (const { proofId } of attested) {
      this.#waiting.delete(proofId);
      if (!this.#added.delete(proofId)) this.#removed.add(proofId);
    }
    return attested;
  }

  #anchored(
    { organisationId, stream, position, data }: StoredEvent<Anchored>,
    endpoints: Pick<Endpoints, 'isListening'>,
  ): AnchoredProof[] {
    const proofId = proofOfStream(stream);
    if (proofId === null || organisationId === null || !endpoints.isListening(organisationId)) {
      return [];
    }
    const { ledgerId, ledgerIndex, ledgerHash } = data;
    const proof = { proofId, organisationId, position, ledgerId, ledgerIndex, ledgerHash };
    if (this.#before.get(keyOf(proof)) === ledgerHash) return [proof];
    this.#waiting.set(proofId, proof);
    this.#added.add(proofId);
    return [];
  }

  #erase(organisationId: string): void {
    this.#erased.push(organisationId);
    for (const proof of [...this.#waiting.values()]) {
      if (proof.organisationId !== organisationId) continue;
      this.#waiting.delete(proof.proofId);
      this.#added.delete(proof.proofId);
    }
  }

  async save(trx: Transaction<StoreTables>): Promise<void> {
    const table = sql.table('webhook_unattested_proofs');
    if (this.#erased.length > 0) {
      await sql`
        DELETE FROM ${table} WHERE organisation_id = ANY(${this.#erased}::text[])`.execute(trx);
    }
    if (this.#removed.size > 0) {
      await sql`
        DELETE FROM ${table} WHERE proof_id = ANY(${[...this.#removed]}::text[])`.execute(trx);
    }
    const added = [...this.#added].flatMap((proofId) => this.#waiting.get(proofId) ?? []);
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
}

async function loadWaiting(
  trx: Transaction<StoreTables>,
  attestations: readonly Attestation[],
): Promise<readonly AnchoredProof[]> {
  if (attestations.length === 0) return [];
  const { rows } = await sql<WaitingRow>`
    SELECT w.* FROM unnest(
      ${attestations.map(({ data }) => data.ledgerId)}::text[],
      ${attestations.map(({ data }) => data.ledgerIndex)}::bigint[]
    ) AS ledger(ledger_id, ledger_index)
    JOIN webhook_unattested_proofs w USING (ledger_id, ledger_index)`.execute(trx);
  return rows.map((row) => ({
    proofId: row.proof_id,
    organisationId: row.organisation_id,
    position: row.position,
    ledgerId: row.ledger_id,
    ledgerIndex: row.ledger_index,
    ledgerHash: row.ledger_hash,
  }));
}

interface WaitingRow {
  readonly proof_id: string;
  readonly organisation_id: string;
  readonly ledger_id: string;
  readonly ledger_index: number;
  readonly ledger_hash: string;
  readonly position: number;
}

function isAttestation(event: StoredEvent): event is Attestation {
  const isKind = event.type === 'LedgerAttested' || event.type === 'LedgerLinked';
  return isKind && isProvable(event);
}

function keyOf({ ledgerId, ledgerIndex }: Pick<AnchoredProof, 'ledgerId' | 'ledgerIndex'>): string {
  return `${ledgerId} ${ledgerIndex}`;
}
