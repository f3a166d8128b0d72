import { OperatorError } from '../errors/operator-error.ts';

/** The signing process cannot serve its socket safely. The message is complete for the operator. */
export class UnsafeSocket extends OperatorError {}
