/** Data that a leaf commits to. It omits the position, which is the leaf's index plus one. */
export interface LeafInput {
  readonly eventId: string;
  readonly organisationId: string | null;
  readonly stream: string;
  readonly version: number;
  readonly type: string;
  readonly schema: number;
  /** Stored text, `YYYY-MM-DDTHH:MM:SS.sssZ`. */
  readonly recordedAt: string;
  /** SHA-256 of the stored texts, lower-case hex. */
  readonly dataHash: string;
  readonly metaHash: string;
}
