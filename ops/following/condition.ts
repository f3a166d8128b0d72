/**
 * Kinds of alerts. Four never end: `fork` two checkpoints contradict each other, which proves
 * misbehaviour; `foreign-signature` no pinned key has signed; `other-log` another log is served at
 * the address; `new-epoch` a restore lost events. The others may pass: `truncated` the log is
 * shorter than before; `hidden` the ledger has a checkpoint that the log does not reach; `unproven`
 * the log does not serve the tiles of its checkpoint; `stopped` no new checkpoint; `unreachable` no
 * answer; `ledger-unreachable` no ledger server answers.
 */
export const alertKinds = [
  ...(['fork', 'foreign-signature', 'other-log', 'new-epoch', 'truncated', 'hidden'] as const),
  ...(['unproven', 'stopped', 'unreachable', 'ledger-unreachable'] as const),
] as const;

export type AlertKind = (typeof alertKinds)[number];

/** Alerts that never end by themselves: nothing that the log does later refutes them. */
export const finalKinds: ReadonlySet<AlertKind> = new Set([
  ...(['fork', 'foreign-signature', 'other-log', 'new-epoch'] as const),
]);

/** Something that is wrong with the followed log now. */
export interface Condition {
  readonly kind: AlertKind;
  /** Tells apart several alerts of one kind. */
  readonly about: string;
  readonly what: string;
  /** Signed checkpoints, and names of ledger transactions. */
  readonly evidence: readonly string[];
}
