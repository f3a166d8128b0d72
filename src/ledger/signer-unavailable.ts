/** A key cannot be used now: the process or service that holds it does not answer, or refuses. */
export class SignerUnavailable extends Error {
  override readonly name = 'SignerUnavailable';
}
