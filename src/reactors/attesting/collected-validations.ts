import { bytesToHex } from '@noble/hashes/utils.js';
import { quorum } from '../../verifier/evidence/count-validations.ts';
import type { Validation } from '../../verifier/evidence/validation.ts';
import { createValidationCheck } from './is-signed-validation.ts';
import type { KnownList, KnownValidators } from './known-validators.ts';

/** Ledgers of which validations are kept in memory: about 35 minutes on mainnet. */
const maxLedgers = 512;
/** Ledgers that one validator alone signed: each ledger is one for a moment. */
const maxLone = 64;
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
}

/**
 * Validations that servers sent lately, in memory only: full ones, signed with keys of known
 * validators, whatever server sent them. Each signature is verified once.
 */
export class CollectedValidations {
  readonly #known: Pick<KnownValidators, 'maySign' | 'listsAt'>;
  readonly #isSigned = createValidationCheck();
  /** By ledger hash, lower-case hex. */
  readonly #ledgers = new Map<string, Heard>();

  constructor(known: Pick<KnownValidators, 'maySign' | 'listsAt'>) {
    this.#known = known;
  }

  /**
   * Takes a validation. `unknown`: no known validator signs with its key. `unsigned`: its signature
   * does not hold.
   */
  add(validation: Validation): 'taken' | 'unknown' | 'unsigned' {
    const signingKey = bytesToHex(validation.signingKey);
    if (!this.#known.maySign(signingKey)) return 'unknown';
    if (!validation.isFull) return 'taken';
    const hash = bytesToHex(validation.ledgerHash);
    const name = `${signingKey} ${bytesToHex(validation.signature)}`;
    const heard = this.#ledgers.get(hash);
    if (heard?.validations.has(name) || isFull(heard, signingKey)) return 'taken';
    // Before anything is kept: unsigned messages must not push out what validators signed.
    if (!this.#isSigned(validation)) return 'unsigned';
    if (heard !== undefined) heard.validations.set(name, validation);
    else this.#begin(hash, { ...validation, name });
    return 'taken';
  }

  #begin(hash: string, { name, ...validation }: Validation & { readonly name: string }): void {
    if (this.#ledgers.size >= maxLedgers) this.#ledgers.delete(this.#dispensable(validation));
    const { ledgerIndex: index, signingTime } = validation;
    this.#ledgers.set(hash, { index, signingTime, validations: new Map([[name, validation]]) });
  }

  /**
   * The oldest ledger. If many were signed by one validator alone, the oldest of those, first of the
   * new validation's own key: a validator that signs at random pushes out only what it signed.
   */
  #dispensable({ signingKey }: Validation): string {
    const lone = [...this.#ledgers].filter(([, { validations }]) => validations.size === 1);
    const [oldest = ''] = this.#ledgers.keys();
    if (lone.length <= maxLone) return oldest;
    const key = bytesToHex(signingKey);
    const own = lone.find(([, { validations }]) => [...validations.keys()][0]?.startsWith(key));
    return (own ?? lone[0])?.[0] ?? oldest;
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
