/** A call that was answered, as it was seen on the wire. */
export interface Exchange {
  readonly method: string;
  /** The request target: a path with its query. */
  readonly target: string;
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Null where it was not read, being no JSON. */
  readonly text: string | null;
}
