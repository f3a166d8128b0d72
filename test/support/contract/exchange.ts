/** An answered call as seen on the wire. */
export interface Exchange {
  readonly method: string;
  /** Request target: path and query. */
  readonly target: string;
  readonly status: number;
  /** Headers by name in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Body; null if it is not JSON. */
  readonly text: string | null;
}
