import type { Transaction } from 'kysely';
import type { AttestationEvent } from '../../domain/attestation/events.ts';
import { isProvable } from '../../domain/attestation/is-provable.ts';
import { isOnNetwork, type Network } from '../../domain/network.ts';
import type { Anchored } from '../../domain/proof/events.ts';
import { proofOfStream, streams } from '../../domain/streams.ts';
import type { StoreTables } from '../../event-store/database.ts';
import type { EventStore } from '../../event-store/event-store.ts';
import type { StoredEvent } from '../../event-store/stored-event.ts';
import type { Endpoints } from './endpoints.ts';
import { type AnchoredProof, type LedgerPlace, WaitingProofs } from './waiting-proofs.ts';

/** Types of event that raise `proof.attested`, each perhaps for several proofs, or end the wait. */
export const attestingTypes = ['Anchored', 'LedgerAttested', 'LedgerLinked', 'LedgerGone'] as const;

interface LoadDeps {
  readonly store: Pick<EventStore, 'readStreams'>;
  /** Networks whose validators this service listens to; null if that is unknown. */
  readonly networks: readonly Network[] | null;
  /** True if the organisation has an endpoint before or in these events. */
  readonly mayListen: (organisationId: string) => boolean;
}

/**
 * Raises `proof.attested`: for each proof by the later one of its `Anchored` and the attestation of
 * its ledger. Proofs wait for the attestation in a table of their own, since the event of a ledger
 * does not name its proofs. Leaves out proofs of organisations without an endpoint, and ledgers that
 * nothing can attest any more.
 */
export class AttestedProofs {
  readonly #waiting: WaitingProofs;
  /** Attestations of the ledgers of these events, by `keyOf`, wherever they are in the log. */
  readonly #recorded: ReadonlyMap<string, StoredEvent<AttestationEvent>>;
  readonly #networks: readonly Network[] | null;

  private constructor(
    waiting: WaitingProofs,
    recorded: ReadonlyMap<string, StoredEvent<AttestationEvent>>,
    networks: readonly Network[] | null,
  ) {
    this.#waiting = waiting;
    this.#recorded = recorded;
    this.#networks = networks;
  }

  /** Loads all that `raisedBy` needs for these events. */
  static async load(
    trx: Transaction<StoreTables>,
    events: readonly StoredEvent[],
    { store, networks, mayListen }: LoadDeps,
  ): Promise<AttestedProofs> {
    const anchored = events.filter(
      (event) => event.type === 'Anchored' && mayListen(event.organisationId ?? ''),
    ) as readonly StoredEvent<Anchored>[];
    const places = new Map(anchored.map(({ data }) => [keyOf(data), data]));
    const names = [...places.values()].map(nameOf);
    const found = names.length === 0 ? null : await store.readStreams(names);
    const recorded = new Map<string, StoredEvent<AttestationEvent>>();
    for (const [key, place] of places) {
      const [event] = found?.get(nameOf(place)) ?? [];
      if (event !== undefined) recorded.set(key, event);
    }
    const attested = events.filter(isAttestation).map(({ data }) => data);
    return new AttestedProofs(await WaitingProofs.load(trx, attested), recorded, networks);
  }

  /** Organisations of the proofs that were loaded. */
  get organisations(): readonly string[] {
    return this.#waiting.organisations;
  }

  /** Folds an event that `endpoints` has observed. Returns the proofs that it attests. */
  raisedBy(
    event: StoredEvent,
    endpoints: Pick<Endpoints, 'isListening' | 'oldestOf'>,
  ): readonly AnchoredProof[] {
    const waiting = this.#waiting;
    if (event.type === 'Anchored') return this.#anchored(event, endpoints);
    if (isAttestation(event)) {
      // A ledger's stream takes one event: proofs in other ledgers of this index wait for nothing.
      return waiting.take(event.data).filter((proof) => attests(event, proof));
    }
    if (event.type === 'LedgerGone') waiting.dropChain(event.data.ledgerId);
    else if (event.type === 'OrganisationErased')
      waiting.dropOrganisation(event.data.organisationId);
    else if (event.type === 'WebhookDeleted' && event.organisationId !== null) {
      const { organisationId, position } = event;
      waiting.dropUnheard(organisationId, endpoints.oldestOf(organisationId) ?? position);
    }
    return [];
  }

  #anchored(
    { organisationId, stream, position, data }: StoredEvent<Anchored>,
    endpoints: Pick<Endpoints, 'isListening'>,
  ): readonly AnchoredProof[] {
    const proofId = proofOfStream(stream);
    if (proofId === null || organisationId === null || !endpoints.isListening(organisationId)) {
      return [];
    }
    const { ledgerId, ledgerIndex, ledgerHash } = data;
    const proof = { proofId, organisationId, position, ledgerId, ledgerIndex, ledgerHash };
    const recorded = this.#recorded.get(keyOf(proof));
    // The store may be ahead of these events: a later attestation raises the proof itself.
    if (recorded !== undefined && recorded.position < position)
      return attests(recorded, proof) ? [proof] : [];
    const isHeard = this.#networks?.some((network) => isOnNetwork(ledgerId, network)) ?? true;
    if (isHeard) this.#waiting.add(proof);
    return [];
  }

  /** Writes the changes. */
  async save(trx: Transaction<StoreTables>): Promise<void> {
    await this.#waiting.save(trx);
  }
}

function isAttestation(event: StoredEvent): event is StoredEvent<AttestationEvent> {
  return event.type === 'LedgerAttested' || event.type === 'LedgerLinked';
}

/** True if the recorded attestation of the proof's ledger index proves the very ledger of the proof. */
function attests(event: StoredEvent<AttestationEvent>, { ledgerHash }: AnchoredProof): boolean {
  return event.data.ledgerHash === ledgerHash && isProvable(event);
}

function nameOf({ ledgerId, ledgerIndex }: LedgerPlace) {
  return streams.attestation(ledgerId, ledgerIndex);
}

function keyOf({ ledgerId, ledgerIndex }: LedgerPlace): string {
  return `${ledgerId} ${ledgerIndex}`;
}
