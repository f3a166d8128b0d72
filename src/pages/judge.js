import { judgeSteps } from './judge-steps.js';

/** @import { Answer } from './ask-ledger.js' */
/** @import { Step } from './judge-steps.js' */
/** @import { Certificate } from './read-bundle.js' */

/**
 * What is known so far.
 *
 * @typedef {object} Facts
 * @property {string | null} fileHash SHA-256 of the file to verify.
 * @property {{certificate: Certificate, isConsistent: boolean} | null} given The certificate.
 * @property {string | null} transactionHash The certificate's, or the one that was typed.
 * @property {Answer | null} answer Null before the ledger has been asked, and while it is.
 * @property {string | null} commitment What nonce and file hash give; null if one of them is missing.
 * @property {boolean} isUnread Whether something that was given cannot be read: it may be the file.
 * @property {boolean} isBusy Whether something that was given is still being read.
 *
 * @typedef {'proven' | 'trial' | 'disproven' | 'unknown' | 'open'} Kind
 * A trial holds in every step, but on a ledger that proves nothing. Open means that something is still
 * missing, unknown that it cannot be had.
 *
 * @typedef {object} Judgement
 * @property {Kind} kind
 * @property {string} text Its name among the texts.
 * @property {Record<string, string | number>} values What they are filled with.
 * @property {boolean} canRetry Whether asking again may help.
 * @property {Step[]} steps
 */

/**
 * Judges what is known: proven only if every step holds, disproven as soon as one contradicts. A step
 * that nobody can answer is never taken for either.
 *
 * @param {Facts} facts
 * @returns {Judgement}
 */
export function judge(facts) {
  const steps = judgeSteps(facts);
  const judged =
    busy(facts) ??
    unread(facts) ??
    disproof(steps) ??
    unknown(facts) ??
    missing(facts) ??
    proof(facts, steps);
  return { values: {}, canRetry: false, ...judged, steps };
}

/** @typedef {Partial<Judgement> & Pick<Judgement, 'kind' | 'text'>} Found */

/**
 * @param {Facts} facts
 * @returns {Found | null}
 */
function busy({ isBusy }) {
  return isBusy ? { kind: 'open', text: 'reading' } : null;
}

/**
 * What is known of the file before says nothing of one that was given since.
 * @param {Facts} facts
 * @returns {Found | null}
 */
function unread({ isUnread }) {
  return isUnread ? { kind: 'unknown', text: 'unread' } : null;
}

/**
 * The first step that contradicts says what is wrong.
 * @param {Step[]} steps
 * @returns {Found | null}
 */
function disproof(steps) {
  const wrong = ['certificate', 'file', 'commitment', 'ledger', 'account', 'time'];
  for (const name of wrong) {
    const step = steps.find((each) => each.name === name && each.status === 'failed');
    if (step) return { kind: 'disproven', text: step.text, values: step.with ?? {} };
  }
  return null;
}

/**
 * @param {Facts} facts
 * @returns {Found | null}
 */
function unknown({ answer }) {
  if (answer === null) return null;
  if (answer.found === 'yes') {
    return answer.data.reasonCode === 'LEDGER_RESET'
      ? { kind: 'unknown', text: 'ledgerReset' }
      : null;
  }
  if (answer.found === 'no') return { kind: 'unknown', text: 'ledgerHasNone', canRetry: true };
  const values = 'seconds' in answer ? { seconds: answer.seconds } : {};
  return { kind: 'unknown', text: answer.found, values, canRetry: true };
}

/**
 * @param {Facts} facts
 * @returns {Found | null}
 */
function missing({ fileHash, transactionHash, answer, commitment, given }) {
  if (transactionHash === null) return { kind: 'open', text: 'needsTransaction' };
  if (answer === null) return { kind: 'open', text: 'asking' };
  if (fileHash === null) return { kind: 'open', text: given ? 'needsFile' : 'needsFileToo' };
  const isSalted = answer.found === 'yes' && answer.data.memo?.hashScheme !== 'sha256-plain-v1';
  return isSalted && commitment === null ? { kind: 'open', text: 'needsNonce' } : null;
}

/**
 * Proven only if every step holds, whatever else is missing.
 * @param {Facts} facts
 * @param {Step[]} steps
 * @returns {Found}
 */
function proof({ answer }, steps) {
  if (answer?.found !== 'yes' || steps.some(({ status }) => status !== 'ok')) {
    return { kind: 'unknown', text: 'strange', canRetry: true };
  }
  const { standalone, network, ledgerCloseTime: time } = answer.data;
  const values = { time };
  if (standalone) return { kind: 'trial', text: 'provenStandalone', values };
  return { kind: 'proven', text: network === 'testnet' ? 'provenTestnet' : 'proven', values };
}
