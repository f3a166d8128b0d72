import { describe } from './describe.ts';

/** A dependency outside of the process fails for now: the same work can succeed later. */
export class Transient extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
  }

  /** Message for an operator whose command failed; `message` is for the log. */
  get operatorMessage(): string {
    return describe(this);
  }
}
