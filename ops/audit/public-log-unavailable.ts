import { OperatorError } from '../../src/errors/operator-error.ts';

/** A published log does not answer, or refuses to. The message names the URL, the reason and the advice. */
export class PublicLogUnavailable extends OperatorError {}
