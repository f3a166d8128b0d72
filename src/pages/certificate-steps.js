/** @import { Outcome, Step } from './step.ts' */
/** @import { Card, Facts, Given } from './verdict.ts' */

/**
 * Compares a certificate with itself and the ledger. Agreement shows that nothing is damaged, not
 * who wrote it.
 *
 * @param {Given} given
 * @param {Facts} facts
 * @returns {Outcome}
 */
export function certificateStep({ certificate, isConsistent }, { answer }) {
  if (!isConsistent) return { status: 'failed', text: 'certificateIsBroken' };
  const { commitment, fileHash, previous, network, standalone } = certificate;
  if (answer?.found !== 'yes') return { status: 'unknown', text: 'certificateAlone' };
  const { memo, ...data } = answer.data;
  const agrees =
    memo?.fileHash === (commitment ?? fileHash) &&
    (memo.previous ?? null) === previous &&
    data.network === (standalone ? 'standalone' : network) &&
    data.standalone === standalone;
  return agrees
    ? { status: 'noted', text: 'certificateAgrees' }
    : { status: 'failed', text: 'certificateDisagrees' };
}

/**
 * A time-stamp token for the proof. Who signed it is not checked, so it proves nothing.
 *
 * @param {NonNullable<Given['timestamp']>} timestamp
 * @returns {Outcome}
 */
export function timestampStep({ time }) {
  return time === null
    ? { status: 'failed', text: 'timestampIsForeign' }
    : { status: 'claimed', text: 'timestampIsStated', with: { time } };
}

/**
 * Names, dates and other statements, which neither file nor ledger confirms.
 *
 * @param {readonly Step[]} steps
 * @returns {Outcome}
 */
export function statementsStep(steps) {
  const signed = signedBy(steps);
  if (signed === 'reader') return { status: 'noted', text: 'statementsAreSigned' };
  return signed === 'service'
    ? { status: 'stated', text: 'statementsAreStated' }
    : { status: 'claimed', text: 'statementsAreClaims' };
}

/**
 * The printed pages of a PDF, which only the issuer's record of its bytes confirms.
 *
 * @param {readonly Step[]} steps
 * @returns {Outcome}
 */
export function pagesStep(steps) {
  const issued = issuedBy(steps);
  if (issued === 'reader') return { status: 'noted', text: 'pagesAreIssued' };
  return issued === 'service'
    ? { status: 'stated', text: 'pagesAreStated' }
    : { status: 'claimed', text: 'pagesNotChecked' };
}

/**
 * The party that vouches for the key of a valid signature: the reader, who entered the key, or this
 * service, which publishes it. Null without such a signature.
 *
 * @typedef {'reader' | 'service' | null} Voucher
 */

/**
 * The voucher for the issuer's signature of the statements in a certificate.
 *
 * @param {readonly Step[]} steps
 */
export function signedBy(steps) {
  return voucherOf('issuer', steps);
}

/**
 * The voucher for the record of the bytes of a PDF in the log.
 *
 * @param {readonly Step[]} steps
 */
export function issuedBy(steps) {
  return voucherOf('issued', steps);
}

/**
 * The voucher for the statements of a certificate, by the status of their step.
 *
 * @param {Step['status']} status
 * @returns {Voucher}
 */
export function voucherFor(status) {
  if (status === 'noted') return 'reader';
  return status === 'stated' ? 'service' : null;
}

/**
 * @param {'issuer' | 'issued'} of
 * @param {readonly Step[]} steps
 * @returns {Voucher}
 */
function voucherOf(of, steps) {
  const status = steps.find(({ name }) => name === of)?.status;
  if (status === 'ok') return 'reader';
  return status === 'stated' ? 'service' : null;
}

/** Texts by the voucher for the issuer's signature. */
const claims = {
  reader: 'verdict.claimsSigned',
  service: 'verdict.claimsStated',
  nobody: 'verdict.claims',
};
/** Texts by the voucher for the record of the PDF; none if the reader is. */
const pages = { reader: null, service: 'verdict.pagesStated', nobody: 'verdict.pagesUnchecked' };

/** Texts on what several verdicts leave open, by the vouchers for the signatures of the issuers. */
const summed = {
  reader: 'summary.limitSigned',
  service: 'summary.limitStated',
  nobody: 'summary.limitClaims',
};

/**
 * Keys of texts on what a verdict leaves open: only the evidence in a certificate is proven. Empty for a
 * verdict that does not hold.
 *
 * @param {Pick<Card, 'judgement' | 'certificate'>} card
 * @returns {string[]}
 */
export function limitsOf({ judgement: { kind, steps }, certificate }) {
  if (kind !== 'proven' && kind !== 'trial' && kind !== 'partial') return [];
  if (certificate === null) return ['verdict.onlyBytes'];
  const printed = certificate.read?.form === 'pdf' ? pages[issuedBy(steps) ?? 'nobody'] : null;
  return [claims[signedBy(steps) ?? 'nobody'], ...(printed === null ? [] : [printed])];
}

/**
 * Keys of texts on what several verdicts leave open, as their cards say it. Empty if none holds.
 *
 * @param {readonly Card[]} cards
 * @param {{proven: number, stated: number}} files Files that are proven, and those on the word of the service.
 * @returns {string[]}
 */
export function limitsOfAll(cards, { proven, stated }) {
  if (proven + stated === 0) return [];
  const first = proven > 0 ? 'summary.nothingMore' : 'summary.onlyStated';
  const holding = cards.filter((card) => card.certificate !== null && limitsOf(card).length > 0);
  const vouchers = new Set(holding.map(({ judgement }) => signedBy(judgement.steps) ?? 'nobody'));
  const [only, ...others] = vouchers;
  if (only === undefined) return [first];
  return [first, others.length === 0 ? summed[only] : 'summary.limitDiffers'];
}
