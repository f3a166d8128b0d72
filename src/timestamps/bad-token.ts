/** A time-stamp token, or the answer with it, that does not prove the time of the data. */
export class BadToken extends Error {
  constructor(reason: string, options?: ErrorOptions) {
    super(reason, options);
    this.name = 'BadToken';
  }
}
