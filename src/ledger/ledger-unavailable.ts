/** No server of the network answered in time: nothing is known, the call may be repeated. */
export class LedgerUnavailable extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'LedgerUnavailable';
  }
}
