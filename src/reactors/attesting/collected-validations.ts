import { bytesToHex } from '@noble/hashes/utils.js';
import { quorum } from '../../verifier/evidence/count-validations.ts';
import type { Validation } from '../../verifier/evidence/validation.ts';
import { createValidationCheck } from './is-signed-validation.ts';
import type { KnownList, KnownValidators } from './known-validators.ts';

/** Ledgers of which validations are kept in memory: about 35 minutes on mainnet. */
export const maxLedgers = 512;
/** Ledgers that few validators signed: each ledger is one for a moment. */
const maxWeak = 64;
/** Faulty validators, as a part of the others: a fifth of a list, as a quorum of it permits. */
const faultyShare = 0.25;
/** Validations of one hash: of validators on several lists, before and after a rotation. */
const maxPerLedger = 512;
/** Of one key, which may sign two ledgers of the same index in an outage, but not more of one hash. */
const maxPerKey = 4;

/** Validations that are a quorum of a list. */
export interface Quorum {
  readonly lists: readonly KnownList[];
  /** Of each validator that was heard one; by master key, lower-case hex. */
  readonly validations: ReadonlyMap<string, Validation>;
  /** True if no further validation of a listed validator can come. */
  readonly isComplete: boolean;
}

interface Heard {
  readonly index: number;
  readonly signingTime: number;
  readonly validations: Map<string, Validation>;
  /** Validators that signed it, by master key: one may sign a hash often, and with several keys. */
  readonly masters: Set<string>;
}

/**
 * Validations that servers sent lately, in memory only: full ones, signed with keys of known
 * validators, whatever server sent them. Each signature is verified once.
 */
export class CollectedValidations {
  readonly #known: Pick<KnownValidators, 'masterOf' | 'listsAt'>;
  readonly #isSigned = createValidationCheck();
  /** By ledger hash, lower-case hex. */
  readonly #ledgers = new Map<string, Heard>();

  constructor(known: Pick<KnownValidators, 'masterOf' | 'listsAt'>) {
    this.#known = known;
  }

  /**
   * Takes a validation. `unknown`: no known validator signs with its key. `unsigned`: its signature
   * does not hold.
   */
  add(validation: Validation): 'taken' | 'unknown' | 'unsigned' {
    const signingKey = bytesToHex(validation.signingKey);
    const master = this.#known.masterOf(signingKey);
    if (master === null) return 'unknown';
    if (!validation.isFull) return 'taken';
    const hash = bytesToHex(validation.ledgerHash);
    const name = `${signingKey} ${bytesToHex(validation.signature)}`;
    const heard = this.#ledgers.get(hash);
    if (heard?.validations.has(name) || isFull(heard, signingKey)) return 'taken';
    // Before anything is kept: unsigned messages must not push out what validators signed.
    if (!this.#isSigned(validation)) return 'unsigned';
    const { validations, masters } = heard ?? this.#begin(hash, validation, master);
    validations.set(name, validation);
    masters.add(master);
    return 'taken';
  }

  #begin(hash: string, { ledgerIndex: index, signingTime }: Validation, master: string): Heard {
    if (this.#ledgers.size >= maxLedgers) this.#ledgers.delete(this.#dispensable(master));
    const heard = { index, signingTime, validations: new Map(), masters: new Set<string>() };
    this.#ledgers.set(hash, heard);
    return heard;
  }

  /**
   * The oldest ledger. If many were signed by few validators, the oldest of those, first of the one
   * that signed the new ledger. Validators that sign at random push out only their own ledgers.
   */
  #dispensable(master: string): string {
    const ledgers = [...this.#ledgers];
    const most = Math.max(...ledgers.map(([, { masters }]) => masters.size));
    const few = Math.max(1, Math.floor(most * faultyShare));
    const weak = ledgers.filter(([, { masters }]) => masters.size <= few);
    const own = weak.find(([, { masters }]) => masters.has(master));
    const [hash] = (weak.length > maxWeak ? (own ?? weak[0]) : ledgers[0]) ?? [''];
    return hash;
  }

  /** Hashes of all ledgers of which validations are kept, lower-case hex. */
  hashes(): Iterable<string> {
    return this.#ledgers.keys();
  }

  /** Index of the newest ledger that seems to have a quorum; null if there is none. */
  newestIndex(): number | null {
    const newestFirst = [...this.#ledgers].sort(([, a], [, b]) => b.index - a.index);
    for (const [hash, { index, signingTime }] of newestFirst) {
      if (this.quorumOf({ hash, index, closeTime: signingTime }) !== null) return index;
    }
    return null;
  }

  /**
   * Ledgers that seem to have a quorum, from an index on and before another, ascending. Hashes are
   * lower-case hex. The close time is about the time of signing, until the header is known.
   */
  *candidates(
    from: number,
    before: number,
  ): Generator<{ readonly index: number; readonly hash: string }> {
    const later = [...this.#ledgers]
      .filter(([, { index }]) => index >= from && index < before)
      .sort(([, a], [, b]) => a.index - b.index);
    for (const [hash, { index, signingTime }] of later) {
      if (this.quorumOf({ hash, index, closeTime: signingTime }) !== null) yield { hash, index };
    }
  }

  /** The quorum of a ledger (hash in lower-case hex) by the lists in force; null if there is none. */
  quorumOf(ledger: {
    readonly index: number;
    readonly hash: string;
    readonly closeTime: number;
  }): Quorum | null {
    const heard = this.#ledgers.get(ledger.hash);
    if (heard === undefined) return null;
    const lists = this.#known.listsAt(ledger.closeTime);
    const least = Math.min(...lists.map(({ list }) => quorum(list.validators.length)));
    if (heard.validations.size < least) return null;
    const validations = new Map<string, Validation>();
    for (const validation of heard.validations.values()) {
      if (validation.ledgerIndex !== ledger.index) continue;
      const signingKey = bytesToHex(validation.signingKey);
      const masters = new Set(lists.map(({ keys }) => keys.masterOf(signingKey)));
      masters.delete(null);
      if (masters.size === 0) continue;
      for (const master of masters) if (master !== null) validations.set(master, validation);
    }
    const reached = lists.filter(({ list, keys }) => {
      const signed = list.validators.filter(({ masterKey }) => {
        const validation = validations.get(masterKey);
        return validation && keys.masterOf(bytesToHex(validation.signingKey)) === masterKey;
      });
      return signed.length >= quorum(list.validators.length);
    });
    if (reached.length === 0) return null;
    const isComplete = lists.every(({ list }) =>
      list.validators.every(({ masterKey }) => validations.has(masterKey)),
    );
    return { lists: reached, validations, isComplete };
  }
}

/** True if no more validations of this key are kept for the ledger. */
function isFull(heard: Heard | undefined, signingKey: string): boolean {
  if (heard === undefined) return false;
  const ofKey = [...heard.validations.keys()].filter((name) => name.startsWith(signingKey));
  return heard.validations.size >= maxPerLedger || ofKey.length >= maxPerKey;
}
