/** One thing that was looked at, and what came of it. */
export interface Check {
  readonly name: CheckName;
  readonly outcome: Outcome;
  /** For people: what was seen, or why it fails or was not checked. May quote untrusted text. */
  readonly detail: string;
}

export type Outcome = 'ok' | 'failed' | 'notChecked';

/** In the order in which they are told. */
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
  'log entry',
  'log checkpoint',
  'statements',
  'pages',
] as const;
export type CheckName = (typeof checkNames)[number];

/** `ok` with the detail, or failed with the reason where there is one. */
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
