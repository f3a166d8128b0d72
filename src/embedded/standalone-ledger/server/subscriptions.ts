/** Streams that can be subscribed to; others are malformed. */
export const streams = [
  'ledger',
  'transactions',
  'transactions_proposed',
  'server',
  'consensus',
] as const;
export type Stream = (typeof streams)[number];

/** What one connection wants to hear of, and in which API version. */
export class Subscriptions {
  readonly streams = new Map<Stream, number>();
  readonly accounts = new Map<string, number>();
  readonly accountsProposed = new Map<string, number>();

  clear(): void {
    this.streams.clear();
    this.accounts.clear();
    this.accountsProposed.clear();
  }
}

export function isStream(name: unknown): name is Stream {
  return streams.some((stream) => stream === name);
}
