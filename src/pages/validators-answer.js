/** @import { Answer } from './ask-ledger.js' */
/** @import { Given } from './judge.js' */

/**
 * The answer that follows from the signatures of the ledger's validators in a certificate, if the
 * service gave none. Null if the certificate has no such signatures, or is inconsistent.
 *
 * @param {Given | null} given
 * @returns {Answer | null}
 */
export function validatorsAnswer(given) {
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
    },
  };
}
