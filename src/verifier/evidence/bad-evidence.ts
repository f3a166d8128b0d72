/** Part of the evidence that does not hold, for programs. */
export type WhyBad =
  | 'malformed'
  | 'path'
  | 'header'
  | 'manifest'
  | 'publisher'
  | 'list'
  | 'listTime'
  | 'validation'
  | 'quorum'
  | 'timestamp';

/** The evidence is malformed or proves nothing. The message gives the reason for people. */
export class BadEvidence extends Error {
  readonly why: WhyBad;

  constructor(why: WhyBad, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'BadEvidence';
    this.why = why;
  }
}
