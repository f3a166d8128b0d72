/** The blob is no transaction: answered as `invalidTransaction` with this message. */
export class MalformedTransaction extends Error {
  override readonly name = 'MalformedTransaction';
}
