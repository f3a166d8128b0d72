/** The file is no PDF, damaged, or more of a burden than a certificate could be. */
export class UnreadablePdf extends Error {
  constructor(why: string) {
    super(`the PDF cannot be read: ${why}`);
    this.name = 'UnreadablePdf';
  }
}
