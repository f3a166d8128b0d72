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
    ...namedAddresses(bundle.addresses),
    memo: evidence.memo.data,
    revision: revision.number,
    previous: revision.previousTransactionHash,
  };
}

/**
 * Names the addresses as bundles of version 3 do: earlier ones called our page `verifyUrl`.
 * @param {Bundle['addresses']} addresses
 */
function namedAddresses(addresses) {
  if ('verifyPageUrl' in addresses) return addresses;
  const { verifyUrl, publicApiUrl, explorerUrl } = addresses;
  return { verifyUrl: explorerUrl, verifyPageUrl: verifyUrl, publicApiUrl };
}
