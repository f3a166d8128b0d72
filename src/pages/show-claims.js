import { element } from './element.js';
import { fileSize, shownName, text, utcTime } from './texts.js';

/** @import { Voucher } from './certificate-steps.js' */
/** @import { Certificate } from './certificate.js' */

/**
 * The statements of a certificate that cannot be checked, each labelled as a claim, or as the word of the
 * issuer who signed them.
 *
 * @param {Certificate} certificate
 * @param {Voucher} signed
 */
export function showClaims(certificate, signed) {
  const rows = claimsOf(certificate).map(({ label, value }) => showClaim(label, value, signed));
  return element('dl', { class: 'claims' }, ...rows);
}

/**
 * The statements of a certificate that cannot be checked, for people. The nonce is not among them: it
 * is confidential.
 *
 * @param {Certificate} certificate
 */
export function claimsOf(certificate) {
  return Object.entries(statementsOf(certificate)).flatMap(([name, value]) =>
    value === null || value === '' ? [] : [{ name, label: text(`claim.${name}`), value }],
  );
}

/** @param {Certificate} certificate */
function statementsOf(certificate) {
  const { organisationName, workspaceName, fileName, mimeType, proofId } = certificate;
  const { issuedAt, fileSizeBytes, revision, verifyUrl, verifyPageUrl, publicApiUrl } = certificate;
  return {
    organisation: quoted(organisationName),
    workspace: quoted(workspaceName),
    issuedAt: utcTime(issuedAt),
    fileName: quoted(fileName),
    fileSize: fileSizeBytes === null ? null : fileSize(fileSizeBytes),
    mimeType: quoted(mimeType),
    revision: revision === null ? null : String(revision),
    proofId,
    verifyPageUrl: quoted(verifyPageUrl),
    publicApiUrl: quoted(publicApiUrl),
    verifyUrl: quoted(verifyUrl),
  };
}

/**
 * Quotes an untrusted name, which may imitate a part of this page.
 * @param {string | null} name
 */
function quoted(name) {
  return name === null || name === '' ? null : text('claim.quoted', { name: shownName(name) });
}

/**
 * @param {string} label
 * @param {string} value
 * @param {Voucher} signed
 */
function showClaim(label, value, signed) {
  return element(
    'div',
    { class: 'claim' },
    element('dt', {}, label),
    element('dd', {}, element('bdi', {}, value), ' ', showClaimed(signed)),
  );
}

/** The label beside every claim. @param {Voucher} signed The voucher for the issuer's signature. */
export function showClaimed(signed) {
  const isSigned = signed === 'reader';
  return element('span', { class: isSigned ? 'claimed signed' : 'claimed' }, claimedBy(signed));
}

/** The label in words. @param {Voucher} signed */
export function claimedBy(signed) {
  if (signed === 'reader') return text('claim.signed');
  return text(signed === 'service' ? 'claim.stated' : 'claim.claimed');
}
