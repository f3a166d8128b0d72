/** The bytes of an encrypted file are not those that were written, or its key is another. */
export class FileDamaged extends Error {
  constructor(difference: string) {
    super(difference);
    this.name = 'FileDamaged';
  }
}
