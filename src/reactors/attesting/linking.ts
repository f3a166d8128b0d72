import { hexToBytes } from '@noble/hashes/utils.js';
import { LedgerUnavailable } from '../../ledger/ledger-unavailable.ts';
import { readHeader } from '../../verifier/evidence/ledger-header.ts';
import { maxChain } from '../../verifier/evidence/limits.ts';
import { type AttestingDeps, isSettled } from './attesting.ts';
import type { AttestedLedger, PendingLedger } from './attesting-fold.ts';
import type { HeaderChains } from './header-chains.ts';
import { type LinkGroup, LinkGroups } from './link-groups.ts';
import type { RecordedAttestations } from './recorded-attestations.ts';
import { tryEach } from './try-each.ts';

export interface LinkingDeps extends AttestingDeps {
  readonly headers: HeaderChains;
  /** The right to link: one process at a time asks servers for headers. */
  readonly turn: {
    /** Resolves with false if another process has the right. */
    take(): Promise<boolean>;
    giveUp(): Promise<void>;
  };
  readonly recorded: Pick<RecordedAttestations, 'nextInReach'>;
  /** Called for ledgers that no chain of headers can prove any more. */
  readonly onGivenUp: (ledgers: readonly PendingLedger[]) => void;
}

/**
 * Proves ledgers whose validations were missed, by the chain of headers up to a later ledger that is
 * attested. Each step may fail at any point and be repeated.
 */
export class Linking {
  readonly #deps: LinkingDeps;
  readonly #groups = new LinkGroups();
  /** Given up and not reported yet. */
  #givenUp: PendingLedger[] = [];
  #isStopped = false;

  constructor(deps: LinkingDeps) {
    this.#deps = deps;
  }

  /**
   * Links every ledger that was not attested in time, for a limited time. Rejects, after trying all,
   * if the store or every server fails. Then gives the right to link up, so that another process can
   * try: its servers may have headers that the servers of this one lack.
   */
  async link(): Promise<void> {
    const { fold, pace } = this.#deps;
    if (fold.size === 0 || pace.isResting()) return;
    try {
      await this.#giveUpOld();
      if (this.#linkable().length > 0) await this.#takeTurn();
      else if (this.#overdue().length > 0) pace.rest();
    } finally {
      if (this.#givenUp.length > 0) this.#deps.onGivenUp(this.#givenUp);
      this.#givenUp = [];
    }
  }

  async #takeTurn(): Promise<void> {
    const { fold, headers, pace, turn } = this.#deps;
    if (!(await turn.take())) return;
    pace.beginTurn();
    try {
      const next = ({ ledgerId, ledgerIndex }: PendingLedger) =>
        fold.nextAttested(ledgerId, ledgerIndex);
      await tryEach(
        this.#groups.inTurn(this.#linkable(), next),
        (group) => this.#linkGroup(group),
        () => this.#isOver(),
      );
    } finally {
      if (this.#overdue().length > 0) pace.rest();
      await turn.giveUp();
    }
    if (fold.size === 0) headers.clear();
  }

  /**
   * From the newest ledger to the oldest, so that each links to the one after it. Ends at the first
   * missing header: the older ledgers of the group need it too.
   */
  async #linkGroup(group: LinkGroup): Promise<void> {
    let isMissing = false;
    await tryEach(
      group.newestFirst,
      async (ledger) => {
        this.#groups.noteTried(group);
        isMissing = (await this.#link(ledger)) === 'missing';
      },
      () => isMissing || this.#isOver(),
    );
  }

  #isOver(): boolean {
    return this.#isStopped || this.#deps.pace.isTurnOver();
  }

  #overdue(): PendingLedger[] {
    const { fold, pace } = this.#deps;
    return fold.pending.filter((ledger) => pace.isOverdue(ledger));
  }

  /** Overdue ledgers of an index, or before one, that is attested or seems to be signed. */
  #linkable(): PendingLedger[] {
    const { fold, collected } = this.#deps;
    const overdue = this.#overdue();
    if (overdue.length === 0) return overdue;
    const newest = collected.newestIndex() ?? Number.NEGATIVE_INFINITY;
    return overdue.filter(
      ({ ledgerId, ledgerIndex }) =>
        ledgerIndex < newest || fold.nextAttested(ledgerId, ledgerIndex - 1) !== null,
    );
  }

  /** Gives up ledgers that no attested ledger can be near enough to any more. */
  async #giveUpOld(): Promise<void> {
    const { fold, collected } = this.#deps;
    const old = fold.outOfReach();
    const [oldest] = old;
    if (oldest === undefined) return;
    const signed = [...collected.candidates(oldest.ledgerIndex + 1, Number.POSITIVE_INFINITY)];
    for (const ledger of old) {
      if (this.#isStopped) return;
      const { ledgerIndex } = ledger;
      const isSigned = signed.some(
        ({ index }) => index > ledgerIndex && index <= ledgerIndex + maxChain,
      );
      if (!isSigned) await this.#giveUp(ledger);
    }
  }

  /** The attested ledger on record that can still prove this one. Without any, gives it up. */
  async #giveUp(ledger: PendingLedger): Promise<AttestedLedger | null> {
    const { fold, recorded } = this.#deps;
    const next = await recorded.nextInReach(ledger);
    if (next !== null) {
      fold.attested(next);
      return next;
    }
    fold.drop(ledger);
    this.#givenUp.push(ledger);
    return null;
  }

  /** Lets running calls end early. */
  stop(): void {
    this.#isStopped = true;
    this.#deps.headers.stop();
  }

  async #link(ledger: PendingLedger): Promise<'missing' | 'done'> {
    const { pace } = this.#deps;
    if (!pace.mayTry(ledger) || (await isSettled(ledger, this.#deps))) return 'done';
    const nearest = await this.#nextAttested(ledger);
    if (nearest === null) return 'done';
    const isInReach = nearest.attestedIndex - ledger.ledgerIndex <= maxChain;
    const next = isInReach ? nearest : await this.#giveUp(ledger);
    return next === null ? 'done' : this.#linkTo(ledger, next);
  }

  /** The nearest later ledger that is attested, or that validations attest now. */
  async #nextAttested(ledger: PendingLedger): Promise<AttestedLedger | null> {
    const { fold, collected, headers, record, onForked } = this.#deps;
    const { ledgerId, ledgerIndex } = ledger;
    const known = fold.nextAttested(ledgerId, ledgerIndex);
    const before = known?.ledgerIndex ?? Number.POSITIVE_INFINITY;
    for (const { index, hash } of collected.candidates(ledgerIndex + 1, before)) {
      if (this.#isOver()) return null;
      const header = await headers.header(index, hash);
      const found = header && collected.quorumOf({ index, hash, closeTime: header.closeTime });
      if (!header || !found) continue;
      const ledgerHash = hash.toUpperCase();
      const candidate = { ledgerId, ledgerIndex: index, ledgerHash, attestedIndex: index };
      if (index - ledgerIndex > maxChain) return candidate;
      // Nothing shows yet that it is of the same chain: a test network may have been reset.
      const later = await headers.between(ledger, candidate, () => this.#isOver());
      if (later === null) continue;
      if (later[0]?.parentHash !== ledger.ledgerHash.toLowerCase()) {
        onForked(ledger, candidate);
        if (!(await this.#isOfChain(candidate, ledger))) return null;
      }
      // A transaction of ours in this ledger may be recorded later.
      const leaves = await record.leavesOf({ ledgerIndex: index, ledgerHash }).catch(nullIfAway);
      if (leaves === null) continue;
      await record.attested({ ledgerId, header, leaves }, found);
      return fold.nextAttested(ledgerId, ledgerIndex);
    }
    return known;
  }

  /**
   * True if the candidate's headers lead back to an attested ledger before a pending one: then the
   * candidate is of the recorded chain, and no test network was reset in between.
   */
  async #isOfChain(candidate: AttestedLedger, { ledgerId, ledgerIndex }: PendingLedger) {
    const { fold, headers } = this.#deps;
    const before = fold.lastAttested(ledgerId, ledgerIndex);
    if (before === null || candidate.ledgerIndex - before.ledgerIndex > maxChain) return false;
    const later = await headers.between(before, candidate, () => this.#isOver());
    return later?.[0]?.parentHash === before.ledgerHash.toLowerCase();
  }

  async #linkTo(ledger: PendingLedger, next: AttestedLedger): Promise<'missing' | 'done'> {
    const { fold, headers, record, onForked } = this.#deps;
    const first = readHeader(hexToBytes(ledger.ledgerHeader));
    const later = await headers.between(ledger, next, () => this.#isOver());
    // No server has one of them now; tried again later.
    if (later === null) return 'missing';
    if (later[0]?.parentHash !== first.hash) {
      // The attested ledger on record is of this chain: it proves that this one never was.
      fold.drop(ledger);
      onForked(ledger, next);
      return 'done';
    }
    const leaves = await record.leavesOf(ledger);
    if (leaves !== null) await record.linked({ ...ledger, leaves }, next, { first, later });
    return 'done';
  }
}

/** A candidate that no server shows now must not keep a ledger from the ones after it. */
function nullIfAway(error: unknown): null {
  if (error instanceof LedgerUnavailable) return null;
  throw error;
}
