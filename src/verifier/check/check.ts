/** One check of a bundle and its result. */
export interface Check {
  readonly name: CheckName;
  readonly outcome: CheckOutcome;
  /** Finding or reason, for people. May quote untrusted text. */
  readonly detail: string;
}

export type CheckOutcome = 'ok' | 'failed' | 'notChecked';

/** Names of all checks, in the order of the report. */
export const checkNames = [
  'checksum',
  'file hash',
  'commitment',
  'memo',
  'transaction',
  'signature',
  'signing key',
  'transaction hash',
  'metadata',
  'ledger header',
  'close time',
  'addresses',
  'account',
  'network',
  'validated ledger',
  'anchored transaction',
  'transaction path',
  'header chain',
  'validator list',
  'validations',
  'log entry',
  'log checkpoint',
  'log witnesses',
  'timestamp',
  'timestamp authority',
  'issuer signature',
  'issued certificate',
  'statements',
  'pages',
] as const;
export type CheckName = (typeof checkNames)[number];

/** Fails with `reason`, or succeeds with `detail` if `reason` is null. */
export function check(name: CheckName, reason: string | null, detail: string): Check {
  return reason === null ? ok(name, detail) : failed(name, reason);
}

export function ok(name: CheckName, detail: string): Check {
  return { name, outcome: 'ok', detail };
}

export function failed(name: CheckName, reason: string): Check {
  return { name, outcome: 'failed', detail: reason };
}

export function notChecked(name: CheckName, why: string): Check {
  return { name, outcome: 'notChecked', detail: why };
}
