import { OperatorError } from '../../../src/errors/operator-error.ts';

/** The audited database cannot be opened. The message is for the operator. */
export class DatabaseUnavailable extends OperatorError {}
