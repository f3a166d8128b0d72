/** No server of the network answered in time: nothing is known, the call may be repeated. */
export class LedgerUnavailable extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'LedgerUnavailable';
  }

  /** The trouble itself if it is of this kind, else a new one that names it as its cause. */
  static wrap(trouble: unknown, message: string): LedgerUnavailable {
    if (trouble instanceof LedgerUnavailable) return trouble;
    return new LedgerUnavailable(message, trouble === null ? {} : { cause: trouble });
  }
}
