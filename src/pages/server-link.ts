/** A connection to a ledger server. */
export interface Link {
  // biome-ignore lint/suspicious/noExplicitAny: anything may answer; readServerAnswer checks it
  send: (command: { command: string; [name: string]: unknown }) => Promise<any>;
}
