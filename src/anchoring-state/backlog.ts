import type { Recorded } from '../domain/event.ts';
import type { SignedTransaction } from '../domain/ledger/transaction.ts';
import type { Network } from '../domain/network.ts';
import { proofDecider } from '../domain/proof/decider.ts';
import type { ProofEvent } from '../domain/proof/events.ts';
import type { ProofState } from '../domain/proof/state.ts';
import { proofOfStream, streams } from '../domain/streams.ts';
import type { OrganisationId, ProofId } from '../domain/ulid.ts';
import type { EventStore } from '../event-store/event-store.ts';
import type { StoredEvent } from '../event-store/stored-event.ts';
import { isLogEvent, OpenCheckpoint } from './open-checkpoint.ts';
import { OpenGapFills } from './open-gap-fills.ts';
import { type OpenProof, OpenProofs, type PendingProof, type UnderWay } from './open-proofs.ts';
import { type LinkToLookUp, RevisionLinks } from './revision-links.ts';

/**
 * Open items of one network, folded from the log: waiting and outstanding proofs, the checkpoint,
 * and gap fills. Events may come twice: from the log, and from the process that appended them. A
 * version that was folded before is ignored.
 */
export class Backlog {
  readonly network: Network;
  /** The open checkpoint, for any network: at most one at a time. */
  readonly checkpoint = new OpenCheckpoint((signed) => this.#noteApplied(signed));
  readonly gapFills = new OpenGapFills((gapFill) => this.#noteApplied(gapFill));
  readonly #proofs = new OpenProofs();
  readonly #links = new RevisionLinks(this.#proofs);
  /** Ledger at which a failed proof is tried again. */
  readonly #notBefore = new Map<ProofId, number>();
  /** Highest Sequence of each account that a validated ledger is known to have applied. */
  readonly #applied = new Map<string, number>();

  constructor(network: Network) {
    this.network = network;
  }

  /**
   * Open proofs without a signed transaction; revisions that wait for an earlier proof come last.
   */
  *pending(): Generator<PendingProof> {
    yield* this.#proofs.pending();
    yield* this.#proofs.held();
  }

  /**
   * The next `count` proofs that can be signed at a ledger. Organisations take turns; within an
   * organisation, retries come first, then the oldest.
   */
  firstSignable(count: number, ledgerIndex: number): SignableProof[] {
    const found: SignableProof[] = [];
    const isDue = ({ proofId }: PendingProof) => (this.#notBefore.get(proofId) ?? 0) <= ledgerIndex;
    for (const proof of this.#proofs.pending(isDue)) {
      if (found.length >= count) break;
      found.push({ proof, previous: this.#links.previousOf(proof.proofId) });
    }
    return found;
  }

  /** Revisions that wait until the fate of their previous proof is looked up. */
  linksToLookUp(limit: number, ledgerIndex: number): readonly LinkToLookUp[] {
    return this.#links.toLookUp(limit, ledgerIndex);
  }

  linkLookedUp(link: LinkToLookUp, state: ProofState, ledgerIndex: number): void {
    this.#links.lookedUp(link, state, ledgerIndex);
  }

  /** Open proofs whose signed transaction may be on the ledger. */
  processing(): Iterable<UnderWay> {
    return this.#proofs.underWay();
  }

  /** Signed transactions with an unknown fate, without replaced ones: one for each Sequence. */
  *signed(): Generator<SignedTransaction> {
    for (const { state } of this.#proofs.underWay()) yield state.prepared;
    if (this.checkpoint.underWay !== null) yield this.checkpoint.underWay.prepared;
    yield* this.gapFills.values();
  }

  /** The same of one account on one ledger, at the cost of these alone. */
  signedBy(ledgerId: string, account: string): SignedTransaction[] {
    const { underWay } = this.checkpoint;
    const others = underWay === null ? [] : [underWay.prepared];
    const isOwn = (signed: SignedTransaction) =>
      signed.ledgerId === ledgerId && signed.account === account;
    return [
      ...this.#proofs.signedBy(ledgerId, account),
      ...[...others, ...this.gapFills.values()].filter(isOwn),
    ];
  }

  /** Returns true if an item waits to be signed, now or later. */
  get hasWaiting(): boolean {
    return this.#proofs.hasPending || this.checkpoint.log.state.checkpoint.status === 'pending';
  }

  proofIds(): ProofId[] {
    return this.#proofs.ids();
  }

  get size(): number {
    return this.#proofs.size;
  }

  /** Updates proofs by reading their streams; settled proofs are left out. */
  async adopt(store: EventStore, proofIds: readonly ProofId[]): Promise<void> {
    for (let start = 0; start < proofIds.length; start += adoptChunk) {
      const chunk = proofIds.slice(start, start + adoptChunk);
      const found = await store.readStreams(chunk.map(streams.proof));
      // The log may have delivered newer events meanwhile: folding never goes back.
      for (const events of found.values()) this.observe(events);
    }
  }

  /** Highest Sequence that a validated ledger is known to have applied; 0 if none is known. */
  appliedSequence(ledgerId: string, account: string): number {
    return this.#applied.get(`${ledgerId} ${account}`) ?? 0;
  }

  /** Delays a proof that failed at this ledger: after n failures, by 2^n ledgers. */
  postpone(proofId: ProofId, ledgerIndex: number): void {
    const failures = this.#proofs.get(proofId)?.state.failures ?? 0;
    if (failures === 0) return;
    this.#notBefore.set(proofId, ledgerIndex + 2 ** Math.min(failures, maxPaceExponent));
  }

  /** Resets all delays: their ledger indexes are of a ledger that is gone. */
  forgetPace(): void {
    this.#notBefore.clear();
    this.checkpoint.forgetPace();
    this.#links.forgetPace();
  }

  /** Folds events of the log. */
  observe(events: readonly StoredEvent[]): void {
    for (const event of events) {
      if (event.type === 'GapFillPrepared' || event.type === 'GapFillSettled') {
        this.gapFills.fold(event);
        continue;
      }
      if (event.type === 'OrganisationErased') this.#dropProofsOf(event.data.organisationId);
      if (isLogEvent(event)) {
        this.checkpoint.fold(event);
        continue;
      }
      const proofId = proofOfStream(event.stream);
      // The name of a stream determines the type of its events.
      if (proofId) this.#fold(proofId, event as StoredEvent<ProofEvent>);
    }
  }

  /** Folds events that were just appended to a proof's stream, with their ids. */
  appended(proof: OpenProof, events: readonly ProofEvent[], eventIds: readonly string[]): void {
    const recordedAt = proof.state.request.requestedAt;
    events.forEach((event, index) => {
      const version = proof.version + 1 + index;
      this.#fold(proof.proofId, { ...event, recordedAt, version, eventId: eventIds[index] ?? '' });
    });
  }

  #fold(
    proofId: ProofId,
    event: Recorded<ProofEvent> & Pick<StoredEvent, 'version' | 'eventId'>,
  ): void {
    const known = this.#proofs.get(proofId);
    const { version } = event;
    if (known ? version <= known.version : event.type !== 'ProofRequested') return;
    if (event.type === 'ProofRequested' && event.data.network !== this.network) return;
    // The organisation was erased: nothing can be signed for the proof, or appended to it.
    if (event.type === 'ProofRequested' && event.erased) return;
    if (known?.state.status === 'processing' && usesSequence(event)) {
      this.#noteApplied(known.state.prepared);
    }
    const state = proofDecider.evolve(known?.state ?? proofDecider.initial, event);
    if (state.status === 'pending' || state.status === 'processing') {
      const causeId = event.type === 'ProofQueued' ? known?.causeId : event.eventId;
      this.#proofs.set({ proofId, state, version, causeId: causeId ?? event.eventId });
      const follows = state.request.document?.previousProofId ?? null;
      if (follows !== null && event.type === 'ProofRequested') this.#links.follow(proofId, follows);
      if (follows !== null && state.status === 'processing') {
        this.#links.link(proofId, state.prepared.previousTransactionHash);
      }
    } else {
      this.#proofs.delete(proofId);
      this.#notBefore.delete(proofId);
      this.#links.settled(proofId, state);
    }
  }

  /**
   * Drops open proofs of an erased organisation. There are some only if the log was restored from a
   * backup before the erasure.
   */
  #dropProofsOf(organisationId: OrganisationId): void {
    for (const proofId of this.#proofs.ids()) {
      if (this.#proofs.get(proofId)?.state.request.organisationId !== organisationId) continue;
      this.#proofs.delete(proofId);
      this.#notBefore.delete(proofId);
      this.#links.settled(proofId, proofDecider.initial);
    }
  }

  #noteApplied(signed: { ledgerId: string; account: string; sequence: number }): void {
    const key = `${signed.ledgerId} ${signed.account}`;
    this.#applied.set(key, Math.max(this.#applied.get(key) ?? 0, signed.sequence));
  }
}

interface SignableProof {
  readonly proof: PendingProof;
  /** The transaction that the proof's memo names; null if it names none. */
  readonly previous: string | null;
}

/** A transaction on the ledger has used its Sequence, even if it failed there. */
function usesSequence(event: ProofEvent): boolean {
  return (
    event.type === 'Anchored' || (event.type === 'AnchorExpired' && event.data.reason === 'failed')
  );
}

const adoptChunk = 500;
const maxPaceExponent = 6;
