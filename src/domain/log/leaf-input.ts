/** What a leaf commits to. Absent from it is the position: that is the leaf's index plus one. */
export interface LeafInput {
  readonly eventId: string;
  readonly organisationId: string | null;
  readonly stream: string;
  readonly version: number;
  readonly type: string;
  readonly schema: number;
  /** The stored text, `YYYY-MM-DDTHH:MM:SS.sssZ`. */
  readonly recordedAt: string;
  /** SHA-256 of the stored texts, lower-case hex. */
  readonly dataHash: string;
  readonly metaHash: string;
}
