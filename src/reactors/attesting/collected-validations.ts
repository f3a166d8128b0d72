import { bytesToHex } from '@noble/hashes/utils.js';
import { quorum } from '../../verifier/evidence/count-validations.ts';
import type { Validation } from '../../verifier/evidence/validation.ts';
import { createValidationCheck } from './is-signed-validation.ts';
import type { KnownList, KnownValidators } from './known-validators.ts';

/** Ledgers of which validations are kept in memory: about 35 minutes on mainnet. */
const maxLedgers = 512;
/** Validations of one hash: of validators on several lists, before and after a rotation. */
const maxPerLedger = 512;

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

  /** Returns false if no known validator signs with the key of this validation. */
  add(validation: Validation): boolean {
    const signingKey = bytesToHex(validation.signingKey);
    if (!this.#known.maySign(signingKey)) return false;
    if (!validation.isFull) return true;
    const hash = bytesToHex(validation.ledgerHash);
    let heard = this.#ledgers.get(hash);
    if (heard === undefined) {
      const { ledgerIndex: index, signingTime } = validation;
      heard = { index, signingTime, validations: new Map() };
      this.#ledgers.set(hash, heard);
      const [oldest] = this.#ledgers.keys();
      if (this.#ledgers.size > maxLedgers && oldest !== undefined) this.#ledgers.delete(oldest);
    }
    const name = `${signingKey} ${bytesToHex(validation.signature)}`;
    if (heard.validations.has(name) || heard.validations.size >= maxPerLedger) return true;
    if (this.#isSigned(validation)) heard.validations.set(name, validation);
    return true;
  }

  /**
   * Ledgers that seem to have a quorum and have at least this index, ascending. Hashes are lower-case
   * hex. The close time is about the time of signing, until the header is known.
   */
  candidatesFrom(index: number): readonly { readonly index: number; readonly hash: string }[] {
    return [...this.#ledgers]
      .filter(([, heard]) => heard.index >= index)
      .map(([hash, heard]) => ({ hash, index: heard.index, closeTime: heard.signingTime }))
      .filter((ledger) => this.quorumOf(ledger) !== null)
      .sort((a, b) => a.index - b.index);
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
