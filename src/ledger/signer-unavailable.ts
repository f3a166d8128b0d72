import { Transient } from '../errors/transient.ts';

/** A key cannot be used now: the process or service that holds it does not answer, or refuses. */
export class SignerUnavailable extends Transient {}
