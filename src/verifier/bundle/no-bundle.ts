/** Reasons why a file holds no bundle that counts, for programs. The first one is true of any other file. */
export type WhyNoBundle =
  | 'noBundle'
  | 'newerBundle'
  | 'malformedBundle'
  | 'severalBundles'
  | 'unsearchedPdf'
  | 'unreadablePdf';

/** The file or text holds no proof bundle that counts; the message says why, for people. */
export class NoBundle extends Error {
  readonly why: WhyNoBundle;

  constructor(why: WhyNoBundle, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'NoBundle';
    this.why = why;
  }
}
