import { certificateStep, pagesStep, statementsStep, timestampStep } from './certificate-steps.js';

/** @import { Outcome, Step } from './step.ts' */
/** @import { Facts } from './verdict.ts' */
/** @import { Verification } from './verification.ts' */

/**
 * All steps with their outcomes, in the order of display.
 * @param {Facts} facts
 * @returns {Step[]}
 */
export function judgeSteps(facts) {
  const steps = /** @type {Step[]} */ ([
    { name: 'file', ...fileStep(facts) },
    { name: 'commitment', ...commitmentStep(facts) },
    { name: 'ledger', ...ledgerStep(facts) },
    { name: 'account', ...accountStep(facts) },
    { name: 'time', ...timeStep(facts) },
  ]);
  const { given, server } = facts;
  if (server) steps.push(server);
  if (given === null) return steps;
  steps.push({ name: 'certificate', ...certificateStep(given, facts) });
  if (given.timestamp) steps.push({ name: 'timestamp', ...timestampStep(given.timestamp) });
  if (given.checks) steps.push(...given.checks);
  steps.push({ name: 'statements', ...statementsStep(steps), claims: given.certificate });
  if (given.form === 'pdf') steps.push({ name: 'pages', ...pagesStep(steps) });
  return steps;
}

/** @type {(name: string, value: string) => {name: string, value: string}} */
const value = (name, of) => ({ name, value: of });

/**
 * @param {Facts} facts
 * @returns {Outcome}
 */
function fileStep({ fileHash, given, answer }) {
  const stated = given ? [value('certifiedHash', given.certificate.fileHash)] : [];
  if (fileHash === null) return { status: 'open', text: 'fileMissing', values: stated };
  const hash = value('fileHash', fileHash);
  if (given === null) return { status: 'noted', text: 'fileHashed', values: [hash] };
  // An inconsistent certificate may state any hash, and so may one that no ledger confirms.
  const status = given.isConsistent && isIndependent(answer) ? 'ok' : 'noted';
  return fileHash === given.certificate.fileHash
    ? { status, text: 'fileIsCertified', values: [hash] }
    : { status: 'failed', text: 'fileIsAnother', values: [hash, ...stated] };
}

/**
 * @param {Facts} facts
 * @returns {Outcome}
 */
function commitmentStep({ fileHash, commitment, given, answer }) {
  const memo = answer?.found === 'yes' ? answer.data.memo : null;
  const scheme = memo?.hashScheme ?? given?.certificate.hashScheme ?? null;
  const isPlain = scheme === 'sha256-plain-v1';
  const anchored = typeof memo?.fileHash === 'string' ? memo.fileHash.slice(0, 200) : null;
  const onLedger = anchored === null ? [] : [value('anchored', anchored)];
  if (fileHash === null) return { status: 'open', text: 'commitmentWaits', values: onLedger };
  const computed = isPlain ? fileHash : commitment;
  if (computed === null) {
    const text = scheme === null ? 'commitmentWaits' : 'commitmentNeedsNonce';
    return { status: 'open', text, values: onLedger };
  }
  const own = value(isPlain ? 'fileHash' : 'commitment', computed);
  if (anchored === null) return { status: 'unknown', text: 'commitmentAlone', values: [own] };
  if (computed === anchored) {
    const status = heldStatus(answer);
    const anchoredText = isPlain ? 'hashIsAnchored' : 'commitmentIsAnchored';
    const statedText = isPlain ? 'hashIsStated' : 'commitmentIsStated';
    const text = status === 'ok' ? anchoredText : statedText;
    return { status, text, values: [own, ...(isPlain ? [] : onLedger)] };
  }
  const isCertified = given !== null && given.certificate.nonce !== null;
  const salted = isCertified ? 'commitmentDiffers' : 'fileOrNonceDiffers';
  const wrong = isPlain ? 'hashIsNotAnchored' : salted;
  return { status: 'failed', text: wrong, values: [own, ...onLedger] };
}

/** Outcomes by the service's reason code for a transaction that does not verify. */
const reasons = /** @type {Map<unknown, Outcome>} */ (
  new Map(
    Object.entries({
      TRANSACTION_FAILED: { status: 'failed', text: 'transactionFailed' },
      MALFORMED_MEMO: { status: 'failed', text: 'noProofInTransaction' },
      LEDGER_CONTRADICTS: { status: 'failed', text: 'ledgerContradicts' },
      LEDGER_RESET: { status: 'unknown', text: 'ledgerReset' },
    }),
  )
);

/**
 * @param {Facts} facts
 * @returns {Outcome}
 */
function ledgerStep({ transactionHash, answer }) {
  const values = [value('transaction', transactionHash)];
  if (answer === null) return { status: 'open', text: 'asking', values };
  if (answer.found === 'no') return { status: 'unknown', text: 'ledgerHasNone', values };
  if (answer.found !== 'yes') return { status: 'unknown', text: 'notAsked', values };
  const { data } = answer;
  if (!data.verified && data.reasonCode !== 'FOREIGN_ACCOUNT') {
    const other = { status: 'failed', text: 'notVerified', with: { reason: String(data.reason) } };
    return { .../** @type {Outcome} */ (reasons.get(data.reasonCode) ?? other), values };
  }
  values.push(value('ledgerIndex', String(data.ledgerIndex)));
  if (data.validators) {
    const { isSample, publisher, listSequence, listed, counted } = data.validators;
    const text = isSample ? 'signedBySample' : 'signedByValidators';
    return { status: 'ok', text, with: { publisher, listSequence, listed, counted }, values };
  }
  if (data.server) {
    return { status: 'ok', text: 'heldByServer', with: { server: data.server }, values };
  }
  return { status: 'stated', text: `heldBy${networkName(data)}`, values };
}

/**
 * True if somebody other than the service confirms the answer.
 * @param {Facts['answer']} answer
 */
function isIndependent(answer) {
  return answer?.found === 'yes' && Boolean(answer.data.validators || answer.data.server);
}

/**
 * @param {Facts['answer']} answer
 * @returns {'ok' | 'stated'}
 */
function heldStatus(answer) {
  return isIndependent(answer) ? 'ok' : 'stated';
}

/** @param {Verification} verification */
function networkName({ standalone, network }) {
  return standalone ? 'Standalone' : network === 'testnet' ? 'Testnet' : 'Mainnet';
}

/**
 * @param {Facts} facts
 * @returns {Outcome}
 */
function accountStep({ answer, given }) {
  const stated = given?.certificate.account;
  if (answer?.found !== 'yes') {
    return {
      status: 'unknown',
      text: 'accountUnknown',
      values: stated ? [value('certifiedAccount', stated)] : [],
    };
  }
  const { account, verified, reasonCode } = answer.data;
  const values = [value('account', account)];
  if (reasonCode === 'FOREIGN_ACCOUNT')
    return { status: 'failed', text: 'accountIsForeign', values };
  if (stated !== undefined && stated !== account) {
    const both = [...values, value('certifiedAccount', stated)];
    return { status: 'failed', text: 'accountDiffers', values: both };
  }
  if (answer.data.isOwn === false) return { status: 'noted', text: 'accountIsShown', values };
  return verified
    ? { status: 'stated', text: 'accountIsOurs', values }
    : { status: 'unknown', text: 'accountUnknown', values };
}

/**
 * @param {Facts} facts
 * @returns {Outcome}
 */
function timeStep({ answer, given }) {
  const stated = given?.certificate.closeTimeIso;
  if (answer?.found !== 'yes') {
    return stated
      ? { status: 'unknown', text: 'timeIsClaimed', with: { time: stated }, values: [] }
      : { status: 'unknown', text: 'timeUnknown' };
  }
  const { ledgerCloseTime: time, ledgerIndex, verified } = answer.data;
  const values = [value('time', time)];
  if (given && (stated !== time || given.certificate.ledgerIndex !== ledgerIndex)) {
    const both = [...values, value('certifiedTime', String(stated))];
    return { status: 'failed', text: 'timeDiffers', values: both };
  }
  return verified
    ? { status: heldStatus(answer), text: timeText(answer), with: { time }, values }
    : { status: 'unknown', text: 'timeUnknown', values };
}

/** @param {Facts['answer']} answer */
function timeText(answer) {
  return isIndependent(answer) ? 'timeIsConfirmed' : 'timeIsStated';
}
