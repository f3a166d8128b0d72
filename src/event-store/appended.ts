/** Where events have come to stand in the log. */
export interface Appended {
  readonly firstPosition: number;
  readonly lastPosition: number;
  /** Of all events, in the order in which they were given. */
  readonly eventIds: readonly string[];
}
