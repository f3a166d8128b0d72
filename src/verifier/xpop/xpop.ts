import type { PublishedList } from '../evidence/validator-list.ts';

/**
 * Proof of a transaction in the form of XLS-41 (github.com/XRPLF/XRPL-Standards, "XPOP"). Bytes are
 * in hex of any case.
 */
export interface Xpop {
  readonly ledger: {
    readonly index: number;
    /** Drops in existence. The text of the number, since doubles cannot hold all of them. */
    readonly coins: string;
    readonly phash: string;
    readonly txroot: string;
    readonly acroot: string;
    /** Close times in seconds since 2000-01-01T00:00:00Z. */
    readonly pclose: number;
    readonly close: number;
    readonly cres: number;
    readonly flags: number;
  };
  readonly validation: {
    /** Validations by signing key, or by master key, of the validator (`n…`). */
    readonly data: Readonly<Record<string, string>>;
    readonly unl: PublishedList;
  };
  readonly transaction: {
    readonly blob: string;
    readonly meta: string;
    readonly proof: XpopProof;
  };
}

/** The transaction tree: as nested lists, or as nodes that name their hashes. */
export type XpopProof = XpopList | XpopNode;

/** The 16 children of an inner node: a hash (zeros for no child), or the children of that child. */
export type XpopList = readonly (string | XpopList)[];

export interface XpopNode {
  /** By hexadecimal digit. Empty for a leaf, and for a node that is not unfolded. */
  readonly children: Readonly<Record<string, XpopNode>>;
  readonly hash: string;
  /** Hash of the leaf's transaction, or the path to an inner node. Takes no part in hashing. */
  readonly key: string;
}
