import { judgeSteps } from './judge-steps.js';

/** @import { Answer } from './ask-ledger.js' */
/** @import { Step } from './judge-steps.js' */
/** @import { Certificate } from './certificate.js' */

/**
 * A certificate that was given, with the form in which it came.
 *
 * @typedef {{certificate: Certificate, isConsistent: boolean, form: 'pdf' | 'json' | null}} Given
 *
 * Everything known so far of one proof.
 *
 * @typedef {object} Facts
 * @property {string | null} fileHash SHA-256 of the file that belongs to it.
 * @property {Given | null} given The certificate; null where a transaction hash was typed.
 * @property {string} transactionHash
 * @property {Answer | null} answer Null before the ledger has been asked, and while it is.
 * @property {string | null} commitment Computed from nonce and file hash; null if one of them is missing.
 * @property {'none' | 'others' | 'locked' | {earlier: string}} besides Files given that do not belong to it:
 *   none, others, files that only a nonce can tell, or an earlier revision of its file, by name.
 * @property {boolean} isBusy Something is still being read that may belong to it.
 *
 * @typedef {'proven' | 'trial' | 'partial' | 'disproven' | 'unknown' | 'open'} Kind
 * A trial holds in every step, but on a ledger that proves nothing. Partial is proven in part only. Open
 * means that something is still missing, unknown that it cannot be had.
 *
 * @typedef {object} Judgement
 * @property {Kind} kind
 * @property {string} text Its name among the texts.
 * @property {Record<string, string | number>} values The values in the text.
 * @property {boolean} canRetry Asking again may help.
 * @property {Step[]} steps
 */

/**
 * Judges one proof: proven only if every step holds, disproven as soon as one contradicts. A step that
 * nobody can answer is never taken for either, and statements that nobody can check never count.
 *
 * @param {Facts} facts
 * @returns {Judgement}
 */
export function judge(facts) {
  const steps = judgeSteps(facts);
  const judged =
    busy(facts) ?? disproof(steps) ?? unknown(facts) ?? missing(facts) ?? proof(facts, steps);
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
 * The first step that contradicts gives the reason.
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
function missing({ fileHash, answer, commitment, given, besides }) {
  if (answer === null) return { kind: 'open', text: 'asking' };
  if (fileHash === null) return { kind: 'open', ...missingFile(given, besides) };
  const isSalted = answer.found === 'yes' && answer.data.memo?.hashScheme !== 'sha256-plain-v1';
  return isSalted && commitment === null ? { kind: 'open', text: 'needsNonce' } : null;
}

/**
 * @param {Facts['given']} given
 * @param {Facts['besides']} besides
 */
function missingFile(given, besides) {
  if (besides === 'none') return { text: given ? 'needsFile' : 'needsFileToo' };
  if (besides === 'locked') return { text: 'needsNonce' };
  if (besides === 'others') return { text: given ? 'fileNotGiven' : 'fileNotGivenToo' };
  return { text: 'earlierGiven', values: { name: besides.earlier } };
}

/**
 * Proven only if every step that can be checked holds, whatever else is missing.
 * @param {Facts} facts
 * @param {Step[]} steps
 * @returns {Found}
 */
function proof({ answer }, steps) {
  const holds = steps.every(({ status }) => ['ok', 'noted', 'claimed'].includes(status));
  if (answer?.found !== 'yes' || !holds)
    return { kind: 'unknown', text: 'strange', canRetry: true };
  const { standalone, network, ledgerCloseTime: time } = answer.data;
  const values = { time };
  if (standalone) return { kind: 'trial', text: 'provenStandalone', values };
  return { kind: 'proven', text: network === 'testnet' ? 'provenTestnet' : 'proven', values };
}
