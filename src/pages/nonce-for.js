/** @import { Findings, Proof } from './findings.ts' */

/**
 * True for a salted proof with an unknown nonce: without a certificate, or in the form for sharing.
 *
 * @param {Proof} proof
 * @param {Findings} findings
 */
export function lacksNonce({ given, transactionHash }, { answerTo }) {
  if (given) return given.certificate.commitment !== null && given.certificate.nonce === null;
  const answer = answerTo(transactionHash);
  const scheme = answer?.found === 'yes' ? answer.data.memo?.hashScheme : undefined;
  return typeof scheme === 'string' && scheme !== 'sha256-plain-v1';
}

/**
 * The nonce of a proof: from its certificate, or the typed nonce. The page has one field for a
 * nonce. If several proofs lack a nonce, one that fits a proof does not disprove the others.
 *
 * @param {Proof} proof
 * @param {readonly Proof[]} proofs
 * @param {Findings} findings
 */
export function nonceFor(proof, proofs, findings) {
  const { typedNonce, commitmentOf, answerTo } = findings;
  if (!lacksNonce(proof, findings)) return proof.given?.certificate.nonce ?? null;
  if (typedNonce === null) return null;
  const fits = (/** @type {Proof} */ { given, transactionHash, files: [file] }) => {
    const answer = answerTo(transactionHash);
    const held = answer?.found === 'yes' ? answer.data.memo?.fileHash : undefined;
    const fileHash = file?.read?.fileHash;
    const expected = given?.certificate.commitment ?? held;
    return fileHash !== undefined && commitmentOf(typedNonce, fileHash) === expected;
  };
  const isAnothers = proofs.some((each) => lacksNonce(each, findings) && fits(each));
  return fits(proof) || !isAnothers ? typedNonce : null;
}
