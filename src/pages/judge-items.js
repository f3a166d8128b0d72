import { combineAnswers, serverStep } from './combine-answers.js';
import { previousOf } from './follow-chain.js';
import { judge } from './judge.js';
import { judgeFile, revisionOf } from './judge-file.js';
import { matchItems } from './match-items.js';
import { lacksNonce, nonceFor } from './nonce-for.js';
import { sampleTransaction } from './sample-proof.js';

/** @import { Findings, Matches, Proof } from './findings.ts' */
/** @import { Item } from './given-file.ts' */
/** @import { Card, Facts, Judgement } from './verdict.ts' */

/**
 * Judges all input. Each proof and each file without a proof gets its own verdict, in the order of
 * the input.
 *
 * @param {Findings} findings
 * @returns {{cards: readonly Card[], needsNonce: boolean}}
 */
export function judgeItems(findings) {
  const { items, typedNonce } = findings;
  const matches = matchItems(findings);
  const cards = [
    ...matches.proofs.map((proof) => proofCard(proof, matches, findings)),
    ...matches.loose.map((item) => fileCard(item, judgeFile(item, matches, findings))),
    ...items.filter(({ read }) => read === null).map((item) => fileCard(item, judgeUnread(item))),
  ];
  const places = new Map(items.map((item, place) => [item, place]));
  const order = (/** @type {Card} */ { certificate, files }) => {
    const given = certificate ? [certificate, ...files] : files;
    return Math.min(...given.map((item) => places.get(item) ?? -1), given.length > 0 ? 1e9 : -1);
  };
  const isNonceAsked = matches.proofs.some(
    (proof) =>
      lacksNonce(proof, findings) &&
      (proof.files.length > 0 || (proof.item === null && matches.loose.length > 0)),
  );
  return {
    cards: cards.sort((a, b) => order(a) - order(b)),
    needsNonce: isNonceAsked || typedNonce !== null,
  };
}

/**
 * @param {Proof} proof
 * @param {Matches} matches
 * @param {Findings} findings
 * @returns {Card}
 */
function proofCard(proof, matches, findings) {
  const { item, given, transactionHash, files } = proof;
  const served = findings.answerTo(transactionHash);
  const { server: named = null, namedAnswerTo = () => null } = findings;
  const confirmed = named === null ? null : namedAnswerTo(transactionHash);
  const answer = given?.isChecking ? null : combineAnswers(served, given, confirmed);
  // Nobody is asked about the sample: no ledger has it.
  const isSample = transactionHash === sampleTransaction;
  const server = serverStep(confirmed, served, isSample ? null : named);
  const fileHash = files[0]?.read?.fileHash ?? null;
  const nonce = nonceFor(proof, matches.proofs, findings);
  const isSalted = nonce !== null && fileHash !== null;
  const commitment = isSalted ? findings.commitmentOf(nonce, fileHash) : null;
  const isBusy = fileHash === null ? findings.items.some(isToBeRead) : isSalted && !commitment;
  const besides = filesBeside(proof, matches, findings);
  const isFirst = matches.proofs.find((each) => each.item === item) === proof;
  return {
    key:
      item === null ? 'typed' : `certificate-${item.id}${isFirst ? '' : `-file-${files[0]?.id}`}`,
    certificate: item,
    files,
    transactionHash,
    judgement: judge({
      fileHash,
      given,
      transactionHash,
      answer,
      commitment,
      besides,
      isBusy,
      server,
    }),
    verification: served?.found === 'yes' ? served.data : null,
  };
}

/** @param {Item} item */
function isToBeRead({ status }) {
  return status === 'waiting' || status === 'reading';
}

/**
 * Describes the files that were given with a proof but do not belong to it.
 *
 * @param {Proof} proof
 * @param {Matches} matches
 * @param {Findings} findings
 * @returns {Facts['besides']}
 */
function filesBeside(proof, { proofs, loose }, findings) {
  const { transactionHash } = proof;
  const answer = findings.answerTo(transactionHash);
  const links = findings.chainOf(transactionHash)?.links ?? [];
  const before = [
    proof.given?.certificate.previous,
    answer?.found === 'yes' ? previousOf(answer.data) : null,
    ...links.map((link) => link.transactionHash),
  ];
  const earlier =
    proofs.find((each) => before.includes(each.transactionHash) && each.files.length > 0)
      ?.files[0] ?? loose.find((item) => revisionOf(item, proof, findings) !== null);
  if (earlier) return { earlier: earlier.file.name };
  if (proof.item === null && loose.length > 0 && findings.typedNonce === null) {
    if (lacksNonce(proof, findings)) return 'locked';
  }
  return loose.length > 0 || proofs.some(({ files }) => files.length > 0) ? 'others' : 'none';
}

/**
 * @param {Item} item
 * @param {Judgement} judgement
 * @returns {Card}
 */
function fileCard(item, judgement) {
  const none = { certificate: null, transactionHash: null, verification: null };
  return { key: `file-${item.id}`, files: [item], judgement, ...none };
}

/**
 * @param {Item} item
 * @returns {Judgement}
 */
function judgeUnread(item) {
  const rest = { values: {}, canRetry: false, basis: null, steps: [] };
  if (isToBeRead(item)) return { kind: 'open', text: 'reading', ...rest };
  return item.status === 'stalled'
    ? { kind: 'unknown', text: 'readerMissing', ...rest, canRetry: true }
    : { kind: 'unknown', text: 'unread', ...rest };
}
