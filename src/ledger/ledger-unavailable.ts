import { Transient } from '../errors/transient.ts';

/** No server of the network answered in time. The outcome is unknown; the call may be repeated. */
export class LedgerUnavailable extends Transient {
  /** Returns a `LedgerUnavailable` unchanged; wraps any other error as the cause of a new one. */
  static wrap(trouble: unknown, message: string): LedgerUnavailable {
    if (trouble instanceof LedgerUnavailable) return trouble;
    return new LedgerUnavailable(message, trouble === null ? {} : { cause: trouble });
  }
}

/** A submission waited, and was not wanted any more when it could go: no server got it. */
export class Withdrawn extends LedgerUnavailable {
  constructor() {
    super('the transaction was not submitted: nobody wanted it any more when its turn came');
  }
}

/** A request was sent, and no answer came. */
export class Unanswered extends LedgerUnavailable {
  readonly command: string;

  constructor(command: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.command = command;
  }
}
