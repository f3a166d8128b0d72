/**
 * Facts for `ReferenceAudit` about the events of a stretch: the things that they begin, count and name. A
 * reading thread finds them, so that the comparing thread need not parse data.
 */
export interface NamedThings {
  /** 1 for a row whose facts are here; 0 for a row without facts, or whose data must be parsed. */
  readonly hasFacts: Uint8Array;
  /** 1 if the row begins the thing with the key in `begun`. */
  readonly begins: Uint8Array;
  /** `thingNumbers` numbers a row. */
  readonly begun: Uint32Array;
  /** Count that each row states; NaN for a row that does not count. */
  readonly counted: Float64Array;
  /** By how much a count goes up or down with the row. */
  readonly steps: Int8Array;
  /** Keys of what the rows name, `thingNumbers` numbers each, row after row. */
  readonly named: Uint32Array;
  /** Number of the keys in `named` up to the end of each row. */
  readonly ends: Uint32Array;
  /** Place of each row's organisation in `ownerIds`; -1 for none. */
  readonly owners: Int32Array;
  readonly ownerIds: readonly string[];
  /**
   * True if the stretch is sound and without gaps, and the facts of every row that begins, counts or names
   * are here, but for those about the issuer.
   */
  readonly isComplete: boolean;
}
