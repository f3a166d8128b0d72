import { OperatorError } from '../errors/operator-error.ts';

/** The program cannot serve with this configuration. The message is complete for the operator. */
export class CannotServe extends OperatorError {}
