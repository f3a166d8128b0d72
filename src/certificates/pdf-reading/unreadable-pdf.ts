/** The file is no PDF, damaged, or more of a burden than a certificate could be. */
export class UnreadablePdf extends Error {
  constructor(why: string) {
    super(`the PDF cannot be read: ${why}`);
    this.name = 'UnreadablePdf';
  }
}

/** The PDF holds different proof bundles, or may hold others beside the one that was found. */
export class AmbiguousPdf extends UnreadablePdf {
  constructor(why: string) {
    super(`${why}. Ask for the certificate as it was issued`);
    this.name = 'AmbiguousPdf';
  }
}
