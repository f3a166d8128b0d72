import { OperatorError } from '../../../src/errors/operator-error.ts';

/**
 * Published log without an answer, or refused. The message names the URL, the reason and the
 * advice.
 */
export class PublicLogUnavailable extends OperatorError {}
