/** The file is not a PDF, is damaged, or needs more work than any certificate. */
export class UnreadablePdf extends Error {
  constructor(why: string) {
    super(`the PDF cannot be used: ${why}`);
    this.name = 'UnreadablePdf';
  }
}
