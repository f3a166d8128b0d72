import { isAnchored } from './match-items.js';
import { lacksNonce } from './nonce-for.js';
import { isSmall } from './small-file.js';

/** @import { Findings, Matches, Proof } from './findings.ts' */
/** @import { Item } from './given-file.ts' */
/** @import { Judgement } from './verdict.ts' */

/**
 * Judges a file that belongs to none of the given proofs. This verdict does not affect the proofs.
 *
 * @param {Item} item
 * @param {Matches} matches
 * @param {Findings} findings
 * @returns {Judgement}
 */
export function judgeFile(item, matches, findings) {
  const { fileHash = '', why = null } = item.read ?? {};
  const values = [{ name: 'fileHash', value: fileHash }];
  const steps = /** @type {Judgement['steps']} */ ([
    { name: 'file', status: 'noted', text: 'fileHashed', values },
  ]);
  const judged =
    unfinished(item, matches, findings) ??
    unusable(why) ??
    earlier(item, matches, findings) ??
    notCompared(matches, findings) ??
    stranger(matches);
  return { values: {}, canRetry: false, basis: null, steps, ...judged };
}

/** @typedef {Partial<Judgement> & Pick<Judgement, 'kind' | 'text'>} Found */

/**
 * Returns an open verdict while the file's proof may still be read, computed or looked up.
 *
 * @param {Item} item
 * @param {Matches} matches
 * @param {Findings} findings
 * @returns {Found | null}
 */
function unfinished({ read }, { proofs }, findings) {
  // A larger file is no certificate, so it says nothing about this file.
  const isReading = findings.items.some(
    ({ status, file }) => (status === 'waiting' || status === 'reading') && isSmall(file),
  );
  const isComputing = proofs.some(({ given }) => {
    const nonce = given ? given.certificate.nonce : findings.typedNonce;
    return nonce !== null && read && findings.commitmentOf(nonce, read.fileHash) === null;
  });
  if (isReading || isComputing) return { kind: 'open', text: 'reading' };
  return proofs.some((proof) => isLookedUp(proof, findings))
    ? { kind: 'open', text: 'asking' }
    : null;
}

/**
 * True during requests for the typed transaction, or for earlier revisions of a missing file.
 *
 * @param {Proof} proof
 * @param {Findings} findings
 */
function isLookedUp({ given, transactionHash, files }, { answerTo, chainOf }) {
  if (files.length > 0) return false;
  const isRevision = given === null || given.certificate.previous !== null;
  return (
    isRevision &&
    (answerTo(transactionHash) === null || chainOf(transactionHash)?.isFollowing === true)
  );
}

/**
 * Returns a verdict for a file that was probably meant as a certificate.
 * @param {string | null} why
 * @returns {Found | null}
 */
function unusable(why) {
  if (why === null || why === 'noBundle') return null;
  if (why === 'newerBundle') return { kind: 'unknown', text: why };
  return { kind: 'disproven', text: why === 'unreadablePdf' ? 'malformedBundle' : why };
}

/**
 * @param {Item} item
 * @param {Matches} matches
 * @param {Findings} findings
 * @returns {Found | null}
 */
function earlier(item, { proofs }, findings) {
  for (const proof of proofs) {
    const found = revisionOf(item, proof, findings);
    if (found === null) continue;
    const { transactionHash, data } = found;
    const { ledgerCloseTime: time, standalone, network } = data;
    const values = [
      { name: 'fileHash', value: item.read?.fileHash ?? '' },
      { name: 'transaction', value: transactionHash },
    ];
    return {
      kind: standalone ? 'trial' : 'partial',
      text: standalone
        ? 'earlierRevisionStandalone'
        : network === 'testnet'
          ? 'earlierRevisionTestnet'
          : 'earlierRevision',
      basis: 'service',
      values: { time },
      steps: [
        { name: 'revision', status: 'stated', text: 'revisionIsEarlier', with: { time }, values },
      ],
    };
  }
  return null;
}

/**
 * The earlier revision in a proof's chain that anchors this file; null if there is none.
 *
 * @param {Item} item
 * @param {Proof} proof
 * @param {Findings} findings
 */
export function revisionOf({ read }, { transactionHash }, findings) {
  const { links = [] } = findings.chainOf(transactionHash) ?? {};
  for (const { transactionHash: earlier, answer } of links) {
    if (answer.found !== 'yes' || !answer.data.verified || read === null) continue;
    if (!isAnchored(read.fileHash, answer, findings)) continue;
    return { transactionHash: earlier, data: answer.data };
  }
  return null;
}

/**
 * @param {Matches} matches
 * @param {Findings} findings
 * @returns {Found | null}
 */
function notCompared({ proofs }, findings) {
  const typed = proofs.find(({ item }) => item === null);
  if (typed === undefined) return null;
  if (findings.answerTo(typed.transactionHash)?.found !== 'yes') {
    return { kind: 'unknown', text: 'fileNotCompared', canRetry: true };
  }
  const isLocked = lacksNonce(typed, findings) && findings.typedNonce === null;
  return isLocked ? { kind: 'open', text: 'needsNonce' } : null;
}

/**
 * @param {Matches} matches
 * @returns {Found}
 */
function stranger({ proofs }) {
  if (proofs.length === 0) return { kind: 'open', text: 'needsTransaction' };
  const isTyped = proofs.some(({ item }) => item === null);
  return { kind: 'disproven', text: isTyped ? 'nothingBelongs' : 'noCertificate' };
}
