/**
 * State of a server that does not know an amendment of its network. `expectedTime`: expected
 * activation in seconds since 2000-01-01T00:00:00Z, or null if the server does not state it.
 */
export type AmendmentLack =
  | { readonly status: 'warned'; readonly expectedTime: number | null }
  | { readonly status: 'blocked' };
