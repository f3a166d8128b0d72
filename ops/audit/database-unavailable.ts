import { OperatorError } from '../../src/errors/operator-error.ts';

/** The database to be audited cannot be opened. The message is for the operator. */
export class DatabaseUnavailable extends OperatorError {}
