/** @import { Answer } from './ask-ledger.js' */
/** @import { Link } from './follow-chain.js' */
/** @import { Given } from './judge.js' */
/** @import { Item } from './reading-queue.js' */

/**
 * Everything that was given, and look-ups for everything that follows from it.
 *
 * @typedef {object} Findings
 * @property {readonly Item[]} items
 * @property {string | null} typedHash A transaction.
 * @property {string | null} typedNonce
 * @property {(transactionHash: string) => Answer | null} answerTo Null before the ledger has answered.
 * @property {(transactionHash: string) => {links: readonly Link[], isFollowing: boolean} | null} chainOf The
 *   earlier revisions that were looked up; null before that.
 * @property {(nonce: string, fileHash: string) => string | null} commitmentOf Null until it is computed.
 *
 * A certificate, or the transaction that was typed, with the files that belong to it.
 *
 * @typedef {object} Proof
 * @property {Item | null} item The certificate; null for the transaction that was typed.
 * @property {Given | null} given
 * @property {string} transactionHash
 * @property {readonly Item[]} files Several of them are the same bytes.
 *
 * @typedef {{proofs: readonly Proof[], loose: readonly Item[]}} Matches `loose` files belong to no proof.
 */

/**
 * Matches files to proofs by their hashes, in whatever order and under whatever names they came. A
 * certificate can itself be the file of another one: then it is a file, unless its own file is here too.
 *
 * @param {Findings} findings
 * @returns {Matches}
 */
export function matchItems(findings) {
  const { items, typedHash } = findings;
  const all = proofsIn(items, typedHash).flatMap((proof) => {
    const files = items.filter((item) => item !== proof.item && isFileOf(item, proof, findings));
    return byHash(files).map((same) => ({ ...proof, files: same }));
  });
  const isFileAlone = (/** @type {Proof} */ { item, files }) =>
    item !== null && files.length === 0 && all.some((other) => other.files.includes(item));
  const proofs = all.filter((proof) => !isFileAlone(proof));
  const matched = new Set(proofs.flatMap(({ files }) => files));
  const loose = items.filter((item) => item.read?.certificate === null && !matched.has(item));
  const [only] = proofs;
  // One file and one transaction: the question can only be if they belong together.
  if (proofs.length === 1 && only?.item === null && matched.size === 0 && loose.length === 1) {
    return { proofs: [{ ...only, files: loose }], loose: [] };
  }
  return { proofs, loose };
}

/**
 * A certificate that contradicts itself can name two files, by hash and by commitment: each is judged.
 * @param {readonly Item[]} files
 * @returns {Item[][]} At least one list; empty if there are no files.
 */
function byHash(files) {
  const groups = Map.groupBy(files, ({ read }) => read?.fileHash);
  return groups.size === 0 ? [[]] : [...groups.values()];
}

/**
 * @param {readonly Item[]} items
 * @param {string | null} typedHash
 * @returns {Omit<Proof, 'files'>[]}
 */
function proofsIn(items, typedHash) {
  const certified = items.flatMap((item) => {
    if (item.read === null || item.read.certificate === null) return [];
    const { certificate, isConsistent, form } = item.read;
    const { transactionHash } = certificate;
    return [{ item, given: { certificate, isConsistent, form }, transactionHash }];
  });
  // A certificate that fits together is bound to its transaction; any other one may name it wrongly.
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
  const { nonce, commitment } = certificate;
  return nonce !== null && findings.commitmentOf(nonce, fileHash) === commitment;
}

/**
 * True if the memo of a transaction commits to a file: by its hash, or under the nonce that was typed.
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
