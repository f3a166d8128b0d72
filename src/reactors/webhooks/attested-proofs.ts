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
import {
  type AnchoredProof,
  type LedgerIndexInChain,
  UnattestedProofs,
} from './unattested-proofs.ts';

/** Types of event that raise `proof.attested`, each perhaps for several proofs, or end the wait. */
export const attestingTypes = ['Anchored', 'LedgerAttested', 'LedgerLinked', 'LedgerGone'] as const;

/** Streams that are read at once: an attestation has some 20 kB. */
const pageStreams = 128;

/** The parts of an attestation that are needed here. */
interface Attestation {
  readonly position: number;
  readonly ledgerHash: string;
  readonly isProvable: boolean;
}

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
  readonly #unattested: UnattestedProofs;
  /** Attestations of the ledgers of these events, by `keyOf`, wherever they are in the log. */
  readonly #recorded: ReadonlyMap<string, Attestation>;
  readonly #networks: readonly Network[] | null;

  private constructor(
    unattested: UnattestedProofs,
    recorded: ReadonlyMap<string, Attestation>,
    networks: readonly Network[] | null,
  ) {
    this.#unattested = unattested;
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
    const ledgers = new Map(anchored.map(({ data }) => [keyOf(data), data]));
    const recorded = new Map<string, Attestation>();
    const wanted = [...ledgers];
    for (let at = 0; at < wanted.length; at += pageStreams) {
      const page = wanted.slice(at, at + pageStreams);
      const found = await store.readStreams(page.map(([, ledger]) => nameOf(ledger)));
      for (const [key, ledger] of page) {
        const [event] = found.get(nameOf(ledger)) ?? [];
        if (event !== undefined) recorded.set(key, attestationOf(event));
      }
    }
    const attested = events.filter(isAttestation).map(({ data }) => data);
    return new AttestedProofs(await UnattestedProofs.load(trx, attested), recorded, networks);
  }

  /** Organisations of the proofs that were loaded. */
  get organisations(): readonly string[] {
    return this.#unattested.organisations;
  }

  /** Folds an event that `endpoints` has observed. Returns the proofs that it attests. */
  raisedBy(
    event: StoredEvent,
    endpoints: Pick<Endpoints, 'isListening' | 'oldestOf'>,
  ): readonly AnchoredProof[] {
    const unattested = this.#unattested;
    if (event.type === 'Anchored') return this.#anchored(event, endpoints);
    if (isAttestation(event)) {
      const attestation = attestationOf(event);
      // A ledger's stream takes one event: proofs in other ledgers of this index wait for nothing.
      return unattested.take(event.data).filter((proof) => attests(attestation, proof));
    }
    if (event.type === 'LedgerGone') unattested.dropChain(event.data.ledgerId);
    else if (event.type === 'OrganisationErased')
      unattested.dropOrganisation(event.data.organisationId);
    else if (event.type === 'WebhookDeleted' && event.organisationId !== null) {
      const { organisationId, position } = event;
      unattested.dropUnheard(organisationId, endpoints.oldestOf(organisationId) ?? position);
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
    if (isHeard) this.#unattested.add(proof);
    return [];
  }

  /** Writes the changes. */
  async save(trx: Transaction<StoreTables>): Promise<void> {
    await this.#unattested.save(trx);
  }
}

function isAttestation(event: StoredEvent): event is StoredEvent<AttestationEvent> {
  return event.type === 'LedgerAttested' || event.type === 'LedgerLinked';
}

function attestationOf(event: StoredEvent<AttestationEvent>): Attestation {
  const { position, data } = event;
  return { position, ledgerHash: data.ledgerHash, isProvable: isProvable(event) };
}

/** True if the recorded attestation of the proof's ledger index proves the very ledger of the proof. */
function attests(attestation: Attestation, { ledgerHash }: AnchoredProof): boolean {
  return attestation.ledgerHash === ledgerHash && attestation.isProvable;
}

function nameOf({ ledgerId, ledgerIndex }: LedgerIndexInChain) {
  return streams.attestation(ledgerId, ledgerIndex);
}

function keyOf({ ledgerId, ledgerIndex }: LedgerIndexInChain): string {
  return `${ledgerId} ${ledgerIndex}`;
}
