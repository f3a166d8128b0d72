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
  /** When something was last asked of servers for a ledger. */
  readonly #triedAt = new Map<string, number>();
  #isStopped = false;
  /** Headers by hash, upper-case hex: a walk that was interrupted goes on. */
  readonly #headers = new Map<string, LedgerHeader>();

  constructor(deps: AttestingDeps) {
    this.#deps = deps;
  }

  /** Attests what can be now. Rejects, after trying all, if the store or every server fails. */
  async attest(): Promise<void> {
    this.#forgetSettled();
    await this.#forEach(this.#deps.fold.pending, (ledger) => this.#attest(ledger));
  }

  /** Links what was not attested in time. Rejects, after trying all, like `attest`. */
  async link(): Promise<void> {
    const overdue = this.#deps.fold.pending.filter((ledger) => this.#isOverdue(ledger));
    if (overdue.length === 0 || !(await this.#deps.mayLink())) return;
    // From the newest ledger to the oldest, so that each links to the one after it.
    await this.#forEach([...overdue].reverse(), (ledger) => this.#link(ledger));
  }

  /** Lets running calls end early. */
  stop(): void {
    this.#isStopped = true;
  }

  async #forEach(
    ledgers: readonly PendingLedger[],
    work: (ledger: PendingLedger) => Promise<void>,
  ): Promise<void> {
    const failures: unknown[] = [];
    for (const ledger of ledgers) {
      if (this.#isStopped) return;
      await work(ledger).catch((error) => failures.push(error));
    }
    if (failures.length > 0) throw failures[0];
  }

  async #attest(ledger: PendingLedger): Promise<void> {
    const { collected } = this.#deps;
    const { ledgerIndex: index, ledgerHash, closeTime } = ledger;
    const found = collected.quorumOf({ index, hash: ledgerHash.toLowerCase(), closeTime });
    if (found === null || this.#mayGrow(ledgerHash, found) || (await this.#isRecorded(ledger))) {
      return;
    }
    if (!this.#mayTry(ledger)) return;
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

  /** True once in `graceMs` for a ledger: servers that do not have it are not asked all the time. */
  #mayTry({ ledgerHash }: PendingLedger): boolean {
    const now = this.#deps.clock();
    const triedAt = this.#triedAt.get(ledgerHash) ?? Number.NEGATIVE_INFINITY;
    if (now - triedAt < this.#deps.waits.graceMs) return false;
    this.#triedAt.set(ledgerHash, now);
    return true;
  }

  #forgetSettled(): void {
    const pending = new Set(this.#deps.fold.pending.map(({ ledgerHash }) => ledgerHash));
    for (const seen of [this.#seenAt, this.#pendingSince, this.#triedAt]) {
      for (const hash of seen.keys()) if (!pending.has(hash)) seen.delete(hash);
    }
    if (pending.size === 0) this.#headers.clear();
  }

  async #link(ledger: PendingLedger): Promise<void> {
    if (!this.#mayTry(ledger) || (await this.#isRecorded(ledger))) return;
    const next = await this.#nextAttested(ledger);
    if (next === null) return;
    if (next.attestedIndex - ledger.ledgerIndex > maxChain) {
      this.#deps.fold.drop(ledger);
      this.#deps.onGivenUp(ledger);
      return;
    }
    await this.#linkTo(ledger, next);
  }

  /** The nearest later ledger that is attested, or that validations attest now. */
  async #nextAttested(ledger: PendingLedger): Promise<AttestedLedger | null> {
    const { fold, collected, feed } = this.#deps;
    const { ledgerId, ledgerIndex } = ledger;
    const known = fold.nextAttested(ledgerId, ledgerIndex);
    const before = known?.ledgerIndex ?? Number.POSITIVE_INFINITY;
    for (const { index, hash } of collected.candidates(ledgerIndex + 1, before)) {
      const header = await this.#header(feed, index, hash);
      const found = header && collected.quorumOf({ index, hash, closeTime: header.closeTime });
      if (!header || !found) continue;
      const ledgerHash = hash.toUpperCase();
      const candidate = { ledgerId, ledgerIndex: index, ledgerHash, attestedIndex: index };
      if (index - ledgerIndex > maxChain) return candidate;
      // Nothing shows yet that it is of the same chain: a test network may have been reset.
      const later = await this.#headersBetween(ledger, candidate);
      if (later === null) continue;
      if (later[0]?.parentHash !== ledger.ledgerHash.toLowerCase()) {
        this.#deps.onForked(ledger, candidate);
        return null;
      }
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
    const later = await this.#headersBetween(ledger, next);
    // No server has one of them now; tried again later.
    if (later === null) return;
    if (later[0]?.parentHash !== first.hash) {
      this.#deps.onForked(ledger, next);
      return;
    }
    const leaves = await this.#leavesOf(ledger);
    if (leaves === null) return;
    const { ledgerId, ledgerIndex, ledgerHash } = ledger;
    const { attestedIndex } = next;
    const isFirst = await this.#append({
      type: 'LedgerLinked',
      data: {
        ...{ ledgerId, ledgerIndex, ledgerHash, leaves, attestedIndex },
        next: { ledgerIndex: next.ledgerIndex, ledgerHash: next.ledgerHash },
        links: encodeBase64(packChain(first, later)),
      },
    });
    if (isFirst) this.#deps.fold.attested({ ledgerId, ledgerIndex, ledgerHash, attestedIndex });
  }

  /**
   * The headers after a ledger up to a later one, ascending, asked for backwards by the hashes that
   * they name. Null if no server has one of them now.
   */
  async #headersBetween(
    ledger: PendingLedger,
    later: AttestedLedger,
  ): Promise<readonly LedgerHeader[] | null> {
    const headers: LedgerHeader[] = [];
    let hash = later.ledgerHash.toLowerCase();
    for (let index = later.ledgerIndex; index > ledger.ledgerIndex; index -= 1) {
      const header = this.#isStopped ? null : await this.#header(this.#deps.feed, index, hash);
      if (header === null) return null;
      headers.push(header);
      hash = header.parentHash;
    }
    return headers.reverse();
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
    const isFirst = await this.#append({
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
    if (isFirst) fold.attested({ ledgerId, ledgerIndex: index, ledgerHash, attestedIndex: index });
  }

  /** True if a ledger of this index is attested on record; if it is this one, it is settled. */
  async #isRecorded(ledger: PendingLedger): Promise<boolean> {
    const { store, fold } = this.#deps;
    const { ledgerId, ledgerIndex } = ledger;
    const recorded = await store.readLast(streams.attestation(ledgerId, ledgerIndex));
    if (recorded === null) return false;
    const { ledgerHash } = recorded.data;
    if (ledgerHash === ledger.ledgerHash) fold.drop(ledger);
    else {
      const attested = { ledgerId, ledgerIndex, ledgerHash, attestedIndex: ledgerIndex };
      this.#deps.onForked(ledger, attested);
    }
    return true;
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

  /** False if another process was first: then the log says how the ledger is attested. */
  async #append(event: AttestationEvent): Promise<boolean> {
    const { ledgerId, ledgerIndex } = event.data;
    const stream = streams.attestation(ledgerId, ledgerIndex);
    const entry = { organisationId: null, stream, expectedVersion: 0, events: [event] };
    try {
      await this.#deps.store.append([entry], meta);
      return true;
    } catch (error) {
      if (!(error instanceof VersionConflict)) throw error;
      return false;
    }
  }
}
