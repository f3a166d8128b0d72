/** @import { Findings, Matches, Proof } from './findings.ts' */
/** @import { Item } from './given-file.ts' */
/** @import { Answer } from './verification.ts' */

/**
 * Matches files to proofs by their hashes, in any order and under any name. A certificate
 * can be the file of another one. Such a certificate counts as a file unless its own file is given.
 *
 * @param {Findings} findings
 * @returns {Matches}
 */
export function matchItems(findings) {
  const { items, typedHash } = findings;
  const all = proofsIn(findings, typedHash).flatMap((proof) => {
    const files = items.filter((item) => item !== proof.item && isFileOf(item, proof, findings));
    return byHash(files).map((same) => ({ ...proof, files: same }));
  });
  const isFileAlone = (/** @type {Proof} */ { item, files }) =>
    item !== null && files.length === 0 && all.some((other) => other.files.includes(item));
  const proofs = all.filter((proof) => !isFileAlone(proof));
  const matched = new Set(proofs.flatMap(({ files }) => files));
  const loose = items.filter((item) => item.read?.certificate === null && !matched.has(item));
  const [only] = proofs;
  // The user can only ask whether one file and one transaction belong together.
  if (proofs.length === 1 && only?.item === null && matched.size === 0 && loose.length === 1) {
    return { proofs: [{ ...only, files: loose }], loose: [] };
  }
  return { proofs, loose };
}

/**
 * Groups files by hash, to judge each. An inconsistent certificate can match two files, by hash and
 * by commitment.
 * @param {readonly Item[]} files
 * @returns {Item[][]} At least one list; empty if there are no files.
 */
function byHash(files) {
  const groups = Map.groupBy(files, ({ read }) => read?.fileHash);
  return groups.size === 0 ? [[]] : [...groups.values()];
}

/**
 * @param {Findings} findings
 * @param {string | null} typedHash
 * @returns {Omit<Proof, 'files'>[]}
 */
function proofsIn({ items, checksOf }, typedHash) {
  const certified = items.flatMap((item) => {
    if (item.read === null || item.read.certificate === null) return [];
    const { certificate, isConsistent, form } = item.read;
    const { bundle = null } = item.read;
    const { transactionHash } = certificate;
    const found = bundle && checksOf ? checksOf(item) : null;
    const isChecking = bundle !== null && found === null;
    const isMissing = found === 'missing';
    const { validators = null, timestamp = null, steps = [] } = (isMissing ? null : found) ?? {};
    const checks = isMissing ? null : steps;
    const signed = { validators, checks, isChecking, timestamp };
    const given = { certificate, isConsistent, ...signed, form };
    return [{ item, given, transactionHash }];
  });
  // Only a consistent certificate is bound to its transaction.
  const isTypedAlone = !certified.some(
    ({ given, transactionHash }) => given.isConsistent && transactionHash === typedHash,
  );
  return typedHash !== null && isTypedAlone
    ? [...certified, { item: null, given: null, transactionHash: typedHash }]
    : certified;
}

/**
 * @param {Item} item
 * @param {Omit<Proof, 'files'>} proof
 * @param {Findings} findings
 */
function isFileOf({ read }, { given, transactionHash }, findings) {
  if (read === null) return false;
  const { fileHash } = read;
  if (given === null) return isAnchored(fileHash, findings.answerTo(transactionHash), findings);
  const { certificate } = given;
  if (certificate.fileHash === fileHash) return true;
  // The parts of a consistent certificate fit together, so no other file can fit its commitment.
  if (given.isConsistent) return false;
  const { nonce, commitment } = certificate;
  return nonce !== null && findings.commitmentOf(nonce, fileHash) === commitment;
}

/**
 * True if the memo of a transaction commits to a file: by its hash, or under the typed nonce.
 *
 * @param {string} fileHash
 * @param {Answer | null} answer
 * @param {Pick<Findings, 'typedNonce' | 'commitmentOf'>} findings
 */
export function isAnchored(fileHash, answer, { typedNonce, commitmentOf }) {
  if (answer?.found !== 'yes' || answer.data.memo === null) return false;
  const { memo } = answer.data;
  if (memo.hashScheme === 'sha256-plain-v1') return memo.fileHash === fileHash;
  return typedNonce !== null && commitmentOf(typedNonce, fileHash) === memo.fileHash;
}
