import { OperatorError } from '../errors/operator-error.ts';

/** The program cannot serve as it is configured; the message says all that the operator needs. */
export class CannotServe extends OperatorError {}
