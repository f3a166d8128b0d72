/** An error whose message is all that an operator needs: wherever it is printed, no stack follows. */
export class OperatorError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
  }
}
