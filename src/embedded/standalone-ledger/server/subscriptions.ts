/** Streams that can be subscribed to; any other name is malformed. */
const streams = [
  ...(['ledger', 'transactions', 'transactions_proposed', 'server', 'consensus'] as const),
  ...(['validations', 'manifests'] as const),
] as const;
export type Stream = (typeof streams)[number];

/** Subscriptions of one connection, each with its API version. */
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
