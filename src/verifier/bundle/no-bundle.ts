/** Reasons why a file has no usable bundle, for programs. `noBundle` covers unrelated files. */
export type WhyNoBundle =
  | 'noBundle'
  | 'newerBundle'
  | 'malformedBundle'
  | 'severalBundles'
  | 'unsearchedPdf'
  | 'unreadablePdf';

/** The file or text has no usable proof bundle. The message gives the reason for people. */
export class NoBundle extends Error {
  readonly why: WhyNoBundle;

  constructor(why: WhyNoBundle, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'NoBundle';
    this.why = why;
  }
}
