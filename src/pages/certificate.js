/** @import { Bundle } from '../verifier/bundle/bundle.ts' */

/**
 * A proof bundle as the page compares and shows it, in which nothing has to be true: `fileHash` and all.
 *
 * @typedef {ReturnType<typeof certificateOf>} Certificate
 */

/**
 * The members of a bundle side by side.
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
