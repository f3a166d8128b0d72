/** @import { Step } from './step.ts' */
/** @import { Given } from './verdict.ts' */
/** @import { Answer, Verification } from './verification.ts' */

/**
 * Combines the words of the service, of the validators in a certificate, and of the ledger server that
 * the reader named. An objection of the service always counts. Otherwise the word of somebody else
 * replaces that of the service.
 *
 * @param {Answer | null} served The word of the service; null before its answer.
 * @param {Given | null} given
 * @param {Answer | null} named The word of the named server; null without one, or before its answer.
 * @returns {Answer | null}
 */
export function combineAnswers(served, given, named) {
  if (served?.found === 'yes' && !served.data.verified) return served;
  const isSilent = served !== null && served.found !== 'yes';
  const validators = validatorsAnswer(given);
  if (served?.found === 'yes' && validators?.found === 'yes') {
    const { data } = served;
    // The service's data stay, so that a contradiction to the certificate is shown.
    const confirmed = { ...data, validators: given?.validators ?? null };
    return { found: 'yes', data: confirmed };
  }
  if (named?.found === 'yes') {
    const isOwn = served?.found === 'yes';
    return { found: 'yes', data: { ...named.data, isOwn } };
  }
  return (isSilent ? validators : null) ?? served;
}

/**
 * The outcome of asking the named server, compared with the word of the service.
 *
 * @param {Answer | null} named
 * @param {Answer | null} served
 * @param {string | null} server Null if none is named, or if it is not asked about this transaction.
 * @returns {Step | null}
 */
export function serverStep(named, served, server) {
  if (server === null) return null;
  const step = (/** @type {Step['status']} */ status, /** @type {string} */ text) =>
    /** @type {Step} */ ({ name: 'server', status, text, with: { server } });
  if (named === null) return step('open', 'serverAsked');
  if (named.found === 'no') return step('unknown', 'serverHasNone');
  if (named.found !== 'yes') return step('unknown', 'serverSilent');
  if (served?.found === 'yes' && !agree(served.data, named.data)) {
    return step('failed', 'serverDiffers');
  }
  return step('ok', 'serverAgrees');
}

/**
 * @param {Verification} one
 * @param {Verification} other
 */
function agree(one, other) {
  return [one, other].map(essence).every((each, _, [first]) => each === first);
}

/** @param {Verification} data */
function essence({ verified, network, ledgerIndex, ledgerCloseTime, account, memo }) {
  const time = Date.parse(ledgerCloseTime);
  const held = [memo?.fileHash, memo?.hashScheme, memo?.previous ?? null];
  return JSON.stringify([verified, network, ledgerIndex, time, account, ...held]);
}

/**
 * The answer that follows from the signatures of the ledger's validators in a certificate. Null if
 * the certificate has no such signatures, or is inconsistent.
 *
 * @param {Given | null} given
 * @returns {Answer | null}
 */
function validatorsAnswer(given) {
  if (!given?.isConsistent || !given.validators) return null;
  const { certificate, validators } = given;
  const { transactionHash, network, standalone, account, ledgerIndex } = certificate;
  return {
    found: 'yes',
    data: {
      ...{ transactionHash, network, standalone, account, ledgerIndex, validators },
      verified: true,
      explorerUrl: certificate.verifyUrl,
      ledgerCloseTime: certificate.closeTimeIso,
      memo: JSON.parse(certificate.memo),
      isOwn: false,
    },
  };
}
