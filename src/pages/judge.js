import { judgeSteps } from './judge-steps.js';

/** @import { Step } from './step.ts' */
/** @import { Basis, Facts, Judgement } from './verdict.ts' */
/** @import { Answer, Verification } from './verification.ts' */

/**
 * Judges one proof: proven only if every step holds and the ledger's word is not the service's alone,
 * disproven as soon as one step fails. A step
 * without an answer counts as neither. Statements that cannot be checked never count.
 *
 * @param {Facts} facts
 * @returns {Judgement}
 */
export function judge(facts) {
  const steps = judgeSteps(facts);
  const judged =
    busy(facts) ?? disproof(steps) ?? unknown(facts) ?? missing(facts) ?? proof(facts, steps);
  return { values: {}, canRetry: false, basis: null, ...judged, steps };
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
 * Returns the verdict of the first failed step.
 * @param {Step[]} steps
 * @returns {Found | null}
 */
function disproof(steps) {
  const wrong = [
    'certificate',
    'file',
    'commitment',
    'ledger',
    'account',
    'time',
    'timestamp',
    'issued',
  ];
  for (const name of wrong) {
    const step = steps.find((each) => each.name === name && each.status === 'failed');
    if (step) return { kind: 'disproven', text: step.text, values: step.with ?? {} };
  }
  const other = steps.find(({ status }) => status === 'failed');
  return other ? { kind: 'disproven', text: 'evidenceFails', values: other.with ?? {} } : null;
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
  if (fileHash === null) {
    const isKnown = given === null && besides === 'none' && answer.found === 'yes';
    return { kind: 'open', ...(isKnown ? recorded(answer.data) : missingFile(given, besides)) };
  }
  const isSalted = answer.found === 'yes' && answer.data.memo?.hashScheme !== 'sha256-plain-v1';
  return isSalted && commitment === null ? { kind: 'open', text: 'needsNonce' } : null;
}

/**
 * The record of a transaction that the reader has no file for yet.
 * @param {Verification} data
 */
function recorded({ network, standalone, server, ...data }) {
  const { ledgerCloseTime: time, ledgerIndex: ledger, account } = data;
  const values = { time, ledger, account, server: server ?? '' };
  /** @type {Basis} */
  const basis = server && !standalone ? 'server' : 'service';
  if (standalone) return { text: 'recordedStandalone', values, basis };
  const isTestnet = network === 'testnet';
  const text = isTestnet ? 'recordedTestnet' : 'recorded';
  const named = isTestnet ? 'recordedByServerTestnet' : 'recordedByServer';
  return { text: server ? named : text, values, basis };
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
 * Proven only if every step that can be checked holds, and the signatures were checked.
 * @param {Facts} facts
 * @param {Step[]} steps
 * @returns {Found}
 */
function proof({ answer, given }, steps) {
  const holding = ['ok', 'noted', 'stated', 'claimed', 'notChecked', 'none'];
  const holds = steps.every(({ name, status }) => {
    return name === 'server' || holding.includes(status);
  });
  if (answer?.found !== 'yes' || !holds)
    return { kind: 'unknown', text: 'strange', canRetry: true };
  if (given?.checks === null) return { kind: 'unknown', text: 'verifierMissing', canRetry: true };
  const { standalone, network, ledgerCloseTime: time } = answer.data;
  const rest = { values: { time }, basis: basisOf(answer) };
  if (answer.data.validators?.isSample) return { kind: 'trial', text: 'provenSample', ...rest };
  if (standalone) return { kind: 'trial', text: 'provenStandalone', ...rest };
  const isTestnet = network === 'testnet';
  return rest.basis === 'service'
    ? { kind: 'partial', text: isTestnet ? 'statedTestnet' : 'stated', ...rest }
    : { kind: 'proven', text: isTestnet ? 'provenTestnet' : 'proven', ...rest };
}

/**
 * @param {Extract<Answer, {found: 'yes'}>} answer
 * @returns {Basis}
 */
function basisOf({ data }) {
  if (data.validators) return 'validators';
  return data.server ? 'server' : 'service';
}
