/** A published log does not answer, or refuses to. The message names the URL, the reason and the advice. */
export class PublicLogUnavailable extends Error {
  override readonly name = 'PublicLogUnavailable';
}
