/** @import { Bundle } from '../verifier/bundle/bundle.ts' */

/**
 * A proof bundle in the form that the page compares and shows. Everything in it is untrusted.
 *
 * @typedef {ReturnType<typeof certificateOf>} Certificate
 */

/**
 * Flattens the members of a bundle.
 * @param {Bundle} bundle
 */
export function certificateOf({ evidence, revision, ...bundle }) {
  return {
    ...bundle.certificate,
    ...bundle.file,
    ...bundle.commitment,
    ...bundle.anchor,
    ...bundle.addresses,
    memo: evidence.memo.data,
    revision: revision.number,
    previous: revision.previousTransactionHash,
  };
}
