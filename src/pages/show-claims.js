import { element } from './element.js';
import { fileSize, shownName, text, utcTime } from './texts.js';

/** @import { Certificate } from './certificate.js' */

/**
 * The statements of a certificate that cannot be checked, each labelled as a claim.
 * @param {Certificate} certificate
 */
export function showClaims(certificate) {
  const rows = Object.entries(statementsOf(certificate)).flatMap(([name, value]) =>
    value === null || value === '' ? [] : [showClaim(text(`claim.${name}`), value)],
  );
  return element('dl', { class: 'claims' }, ...rows);
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
 */
function showClaim(label, value) {
  return element(
    'div',
    { class: 'claim' },
    element('dt', {}, label),
    element('dd', {}, element('bdi', {}, value), ' ', showClaimed()),
  );
}

/** The label beside every claim. */
export function showClaimed() {
  return element('span', { class: 'claimed' }, text('claim.claimed'));
}
