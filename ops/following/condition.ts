/**
 * Kinds of alerts. Four never end: `fork` two checkpoints contradict each other, which proves
 * misbehaviour; `foreign-signature` no pinned key has signed; `other-log` another log is served at
 * the address; `new-epoch` a restore lost events. The others may pass: `truncated` the log is
 * shorter than before; `hidden` the ledger has a checkpoint that the log does not reach, or of an
 * epoch that it does not show; `unproven` the log does not serve the tiles of its checkpoint;
 * `stopped` no new checkpoint; `unreachable` no answer; `ledger-unreachable` no ledger server
 * answers.
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

/**
 * Failures that may pass, and the side that fails. An operator may restart a service, and a proxy
 * may serve an old answer. A side that fails in changing ways has one beginning.
 */
export const passing: Readonly<Partial<Record<AlertKind, string>>> = {
  truncated: 'log',
  unproven: 'log',
  unreachable: 'log',
  hidden: 'hidden',
  'ledger-unreachable': 'ledger',
};

/** Something that is wrong with the followed log now. */
export interface Condition {
  readonly kind: AlertKind;
  /** Tells apart several alerts of one kind. */
  readonly about: string;
  readonly what: string;
  /** Signed checkpoints, and names of ledger transactions. */
  readonly evidence: readonly string[];
}

export function condition(
  kind: AlertKind,
  what: string,
  evidence: readonly string[] = [],
): Condition {
  return { kind, about: '', what, evidence };
}
