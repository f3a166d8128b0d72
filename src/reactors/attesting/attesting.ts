import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js';
import type { AttestationEvent } from '../../domain/attestation/events.ts';
import { streams } from '../../domain/streams.ts';
import type { EventStore } from '../../event-store/event-store.ts';
import { VersionConflict } from '../../event-store/version-conflict.ts';
import type { ValidatedLedger } from '../../ledger/contract.ts';
import { transactionLeaves } from '../../ledger/transaction-tree.ts';
import type { ValidatorFeed } from '../../ledger/validator-feed.ts';
import { encodeBase64 } from '../../verifier/evidence/base64.ts';
import { packChain } from '../../verifier/evidence/header-chain.ts';
import { type LedgerHeader, readHeader } from '../../verifier/evidence/ledger-header.ts';
import type { AttestedLedger, AttestingFold, PendingLedger } from './attesting-fold.ts';
import type { CollectedValidations, Quorum } from './collected-validations.ts';
import type { KnownValidators } from './known-validators.ts';

const meta = { actor: 'attesting' } as const;
/** Waits of the reactor, in milliseconds. */
export interface AttestingWaits {
  /** For validations after the quorum: most arrive within a few milliseconds. */
  readonly lateMs: number;
  /** For another process that may have heard the validations of a ledger. */
  readonly graceMs: number;
}

export const defaultWaits: AttestingWaits = { lateMs: 500, graceMs: 5_000 };
/** Headers of one chain that are asked for: nine hours on mainnet. Each is a request. */
const maxChain = 8_192;
const maxHeaders = 2 * maxChain;

export interface AttestingDeps {
  readonly store: EventStore;
  readonly feed: Pick<ValidatorFeed, 'header'>;
  /** The ledger with this hash (upper-case hex); null if no server has it. */
  readonly ledger: (index: number, hash: string) => Promise<ValidatedLedger | null>;
  readonly known: KnownValidators;
  readonly collected: CollectedValidations;
  readonly fold: AttestingFold;
  /** True while this process has the right to link: one process asks for headers at a time. */
  readonly mayLink: () => Promise<boolean>;
  /** Called for a ledger that is not an ancestor of an attested one. */
  readonly onForked: (ledger: PendingLedger, attested: AttestedLedger) => void;
  /** Called for a ledger that no chain of headers can prove any more. */
  readonly onGivenUp: (ledger: PendingLedger) => void;
  readonly waits: AttestingWaits;
  /** Monotonic, in milliseconds. */
  readonly clock: () => number;
}

/**
 * Records the word of the ledger's validators for every ledger in which we have a transaction. A
 * ledger whose validations were heard is attested by them, every other one by the chain of headers
 * up to a later ledger that is. Each step may fail at any point and be repeated: a ledger's stream
 * takes one event.
 */
export class Attesting {
  readonly #deps: AttestingDeps;
  /** When the quorum of a ledger was seen first. */
  readonly #seenAt = new Map<string, number>();
  /** When a ledger was seen pending first. */
  readonly #pendingSince = new Map<string, number>();
  /** Headers by hash, upper-case hex: a walk that was interrupted goes on. */
  readonly #headers = new Map<string, LedgerHeader>();

  constructor(deps: AttestingDeps) {
    this.#deps = deps;
  }

  /** Attests and links what can be now. Rejects if the store or every server fails. */
  async step(): Promise<void> {
    const { fold } = this.#deps;
    this.#forgetSettled();
    for (const ledger of fold.pending) await this.#attest(ledger);
    const overdue = fold.pending.filter((ledger) => this.#isOverdue(ledger));
    if (overdue.length > 0 && (await this.#deps.mayLink())) await this.#link(overdue);
  }

  async #attest(ledger: PendingLedger): Promise<void> {
    const { collected } = this.#deps;
    const { ledgerIndex: index, ledgerHash, closeTime } = ledger;
    const found = collected.quorumOf({ index, hash: ledgerHash.toLowerCase(), closeTime });
    if (found === null || this.#mayGrow(ledgerHash, found) || (await this.#isRecorded(ledger))) {
      return;
    }
    const leaves = await this.#leavesOf(ledger);
    if (leaves === null) return;
    const { ledgerId, ledgerHeader } = ledger;
    const header = readHeader(hexToBytes(ledgerHeader));
    await this.#recordAttested({ ledgerId, header, leaves }, found);
  }

  /** True for a short time while validations are missing that may still come. */
  #mayGrow(ledgerHash: string, { isComplete }: Quorum): boolean {
    if (isComplete) return false;
    const now = this.#deps.clock();
    const since = this.#seenAt.get(ledgerHash) ?? now;
    this.#seenAt.set(ledgerHash, since);
    return now - since < this.#deps.waits.lateMs;
  }

  #isOverdue(ledger: PendingLedger): boolean {
    const now = this.#deps.clock();
    const since = this.#pendingSince.get(ledger.ledgerHash) ?? now;
    this.#pendingSince.set(ledger.ledgerHash, since);
    return now - since >= this.#deps.waits.graceMs;
  }

  #forgetSettled(): void {
    const pending = new Set(this.#deps.fold.pending.map(({ ledgerHash }) => ledgerHash));
    for (const seen of [this.#seenAt, this.#pendingSince]) {
      for (const hash of seen.keys()) if (!pending.has(hash)) seen.delete(hash);
    }
    if (pending.size === 0) this.#headers.clear();
  }

  /** Links from the newest ledger to the oldest, so that each links to the one after it. */
  async #link(overdue: readonly PendingLedger[]): Promise<void> {
    for (const ledger of [...overdue].reverse()) {
      if (await this.#isRecorded(ledger)) continue;
      const next = await this.#nextAttested(ledger);
      if (next === null) continue;
      if (next.attestedIndex - ledger.ledgerIndex > maxChain) {
        this.#deps.fold.drop(ledger);
        this.#deps.onGivenUp(ledger);
        continue;
      }
      await this.#linkTo(ledger, next);
    }
  }

  /** The nearest later ledger that is attested, or that validations attest now. */
  async #nextAttested({ ledgerId, ledgerIndex }: PendingLedger): Promise<AttestedLedger | null> {
    const { fold, collected, feed } = this.#deps;
    const known = fold.nextAttested(ledgerId, ledgerIndex);
    for (const { index, hash } of collected.candidatesFrom(ledgerIndex + 1)) {
      if (known !== null && index >= known.ledgerIndex) break;
      const header = await this.#header(feed, index, hash);
      const found = header && collected.quorumOf({ index, hash, closeTime: header.closeTime });
      if (!header || !found) continue;
      const ledgerHash = hash.toUpperCase();
      // A transaction of ours in this ledger may be recorded later.
      const leaves = await this.#leavesOf({ ledgerIndex: index, ledgerHash });
      if (leaves === null) continue;
      await this.#recordAttested({ ledgerId, header, leaves }, found);
      return fold.nextAttested(ledgerId, ledgerIndex);
    }
    return known;
  }

  async #linkTo(ledger: PendingLedger, next: AttestedLedger): Promise<void> {
    const first = readHeader(hexToBytes(ledger.ledgerHeader));
    const later: LedgerHeader[] = [];
    let hash = next.ledgerHash.toLowerCase();
    for (let index = next.ledgerIndex; index > ledger.ledgerIndex; index -= 1) {
      const header = await this.#header(this.#deps.feed, index, hash);
      // No server has the header now; tried again later.
      if (header === null) return;
      later.unshift(header);
      hash = header.parentHash;
    }
    if (hash !== first.hash) {
      this.#deps.onForked(ledger, next);
      return;
    }
    const leaves = await this.#leavesOf(ledger);
    if (leaves === null) return;
    const { ledgerId, ledgerIndex, ledgerHash } = ledger;
    const { attestedIndex } = next;
    await this.#append({
      type: 'LedgerLinked',
      data: {
        ...{ ledgerId, ledgerIndex, ledgerHash, leaves, attestedIndex },
        next: { ledgerIndex: next.ledgerIndex, ledgerHash: next.ledgerHash },
        links: encodeBase64(packChain(first, later)),
      },
    });
    this.#deps.fold.attested({ ledgerId, ledgerIndex, ledgerHash, attestedIndex });
  }

  /** The header with this hash (lower-case hex), whatever server has it. */
  async #header(
    feed: Pick<ValidatorFeed, 'header'>,
    index: number,
    hash: string,
  ): Promise<LedgerHeader | null> {
    const known = this.#headers.get(hash);
    if (known !== undefined) return known;
    const bytes = await feed.header(index, hash.toUpperCase());
    if (bytes === null) return null;
    const header = readHeader(hexToBytes(bytes));
    if (this.#headers.size >= maxHeaders) this.#headers.clear();
    this.#headers.set(hash, header);
    return header;
  }

  async #recordAttested(
    {
      ledgerId,
      header,
      leaves,
    }: {
      readonly ledgerId: string;
      readonly header: LedgerHeader;
      readonly leaves: string;
    },
    { lists, validations }: Quorum,
  ): Promise<void> {
    const { known, fold } = this.#deps;
    const ledgerHash = header.hash.toUpperCase();
    const manifests = known.newerManifests(validations.keys());
    await this.#append({
      type: 'LedgerAttested',
      data: {
        ...{ ledgerId, ledgerIndex: header.index, ledgerHash },
        ledgerHeader: bytesToHex(header.bytes).toUpperCase(),
        leaves,
        validations: [...validations.values()].map(({ bytes }) => encodeBase64(bytes)),
        manifests: manifests.map(({ bytes }) => encodeBase64(bytes)),
        validatorLists: lists.map(({ publisherKey, sequence }) => ({ publisherKey, sequence })),
      },
    });
    const { index } = header;
    fold.attested({ ledgerId, ledgerIndex: index, ledgerHash, attestedIndex: index });
  }

  /** True if the ledger is attested on record: it is then no longer pending. */
  async #isRecorded(ledger: PendingLedger): Promise<boolean> {
    const { store, fold } = this.#deps;
    const { ledgerId, ledgerIndex } = ledger;
    const isRecorded = (await store.versionOf(streams.attestation(ledgerId, ledgerIndex))) > 0;
    if (isRecorded) fold.drop(ledger);
    return isRecorded;
  }

  /** Leaves of the ledger's transaction tree, base64; null if no server has the ledger now. */
  async #leavesOf({
    ledgerIndex,
    ledgerHash,
  }: Pick<PendingLedger, 'ledgerIndex' | 'ledgerHash'>): Promise<string | null> {
    const ledger = await this.#deps.ledger(ledgerIndex, ledgerHash);
    if (ledger === null) return null;
    const items = ledger.transactions.map(({ hash, blob, metadata }) => ({
      hash: Buffer.from(hash, 'hex'),
      blob: Buffer.from(blob, 'hex'),
      metadata: Buffer.from(metadata, 'hex'),
    }));
    return transactionLeaves(items).toString('base64');
  }

  /** Appends unless another process was first: then the ledger is attested too. */
  async #append(event: AttestationEvent): Promise<void> {
    const { ledgerId, ledgerIndex } = event.data;
    const stream = streams.attestation(ledgerId, ledgerIndex);
    const entry = { organisationId: null, stream, expectedVersion: 0, events: [event] };
    try {
      await this.#deps.store.append([entry], meta);
    } catch (error) {
      if (!(error instanceof VersionConflict)) throw error;
    }
  }
}
