/**
 * Statements that neither the ledger nor a file's hash proves: whoever writes a bundle may make them up.
 *
 * @typedef {object} Claims
 * @property {string} organisationName
 * @property {string} workspaceName
 * @property {string} issuedAt
 * @property {string} proofId
 * @property {string | null} fileName
 * @property {number | null} fileSizeBytes
 * @property {string | null} mimeType
 * @property {number | null} revision
 * @property {string} verifyUrl
 * @property {string} publicApiUrl
 * @property {string} explorerUrl
 *
 * The members of a proof bundle (src/certificates/bundle-format.md) that a page needs, their form checked.
 *
 * @typedef {object} Evidence
 * @property {string} fileHash
 * @property {string} hashScheme
 * @property {string | null} commitment
 * @property {string | null} nonce
 * @property {string | null} previous The transaction of the previous revision.
 * @property {string} network
 * @property {boolean} standalone
 * @property {string} account
 * @property {string} transactionHash
 * @property {number} ledgerIndex
 * @property {string} ledgerHash
 * @property {number} closeTime Seconds since 2000.
 * @property {string} closeTimeIso
 * @property {string} memo
 * @property {string} blob
 * @property {string} ledgerHeader
 * @property {string} checksum
 *
 * @typedef {Evidence & Claims} Certificate
 */

/** Those there are: the second adds where the anchoring is in the issuer's log, which is not read here. */
const versions = /** @type {unknown[]} */ ([1, 2]);

/** Far above any bundle: what is larger is not read. */
export const maxBundleBytes = 256 * 1024;

/** The text is no bundle that is known here. */
export class NoBundle extends Error {
  /** @param {'noBundle' | 'newerBundle' | 'malformedBundle' | 'severalBundles' | 'unsearchedPdf'} why */
  constructor(why) {
    super(why);
    this.why = why;
  }
}

/**
 * The text of a bundle; a byte order mark, as some programs write it, is passed over. Throws `NoBundle`
 * if it is not UTF-8.
 *
 * @param {Uint8Array} bytes
 */
export function decodeBundle(bytes) {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    const isBundle = new TextDecoder('latin1').decode(bytes).includes('"proofmark/bundle"');
    throw new NoBundle(isBundle ? 'malformedBundle' : 'noBundle');
  }
}

/**
 * Reads a bundle from text of unknown origin: what is listed here, and nothing else. `value` is all of
 * the JSON, for its checksum. Throws `NoBundle`.
 *
 * @param {string} text
 * @returns {{certificate: Certificate, value: object}}
 */
export function readBundle(text) {
  const value = parse(text);
  if (member(value, 'format') !== 'proofmark/bundle') throw new NoBundle('noBundle');
  if (!versions.includes(member(value, 'version'))) throw new NoBundle('newerBundle');
  /** @type {Record<string, unknown>} */
  const read = {};
  for (const [name, [path, isRight]] of Object.entries(members)) {
    read[name] = path.split('.').reduce(member, value);
    if (!isRight(read[name])) throw new NoBundle('malformedBundle');
  }
  const isSalted = read.hashScheme !== 'sha256-plain-v1';
  if (isSalted !== (read.commitment !== null)) throw new NoBundle('malformedBundle');
  return {
    certificate: /** @type {Certificate} */ (/** @type {unknown} */ (read)),
    value: /** @type {object} */ (value),
  };
}

/**
 * A member of the object itself, whatever it is called: nothing is inherited.
 * @param {unknown} value
 * @param {string} name
 */
function member(value, name) {
  const isOwn = typeof value === 'object' && value !== null && Object.hasOwn(value, name);
  return isOwn ? /** @type {Record<string, unknown>} */ (value)[name] : undefined;
}

/** @param {string} text */
function parse(text) {
  try {
    return /** @type {unknown} */ (JSON.parse(text));
  } catch {
    // One that was cut off or edited by hand is told apart from what never was one.
    throw new NoBundle(text.includes('"proofmark/bundle"') ? 'malformedBundle' : 'noBundle');
  }
}

/** @typedef {(value: unknown) => boolean} Test */

/** @type {(pattern: RegExp) => Test} */
const text = (pattern) => (value) => typeof value === 'string' && pattern.test(value);
/** @type {(test: Test) => Test} */
const nullable = (test) => (value) => value === null || test(value);
/** @type {Test} */
const count = (value) => Number.isSafeInteger(value) && Number(value) >= 0;

const name = text(/^.{0,1000}$/s);
const lowerHash = text(/^[a-f0-9]{64}$/);
const upperHash = text(/^[A-F0-9]{64}$/);
const time = text(/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?Z$/);
const address = text(/^https?:\/\/\S{1,2048}$/);
const bytes = text(/^(?:[A-F0-9]{2}){1,4096}$/);

/**
 * Where each stands in a bundle, and what it must be.
 * @type {Record<keyof Certificate, [path: string, test: Test]>}
 */
const members = {
  organisationName: ['certificate.organisationName', name],
  workspaceName: ['certificate.workspaceName', name],
  issuedAt: ['certificate.issuedAt', time],
  proofId: ['certificate.proofId', text(/^[0-9A-HJKMNP-TV-Z]{26}$/)],
  fileName: ['file.fileName', nullable(name)],
  fileSizeBytes: ['file.fileSizeBytes', nullable(count)],
  mimeType: ['file.mimeType', nullable(name)],
  revision: ['revision.number', nullable(count)],
  verifyUrl: ['addresses.verifyUrl', address],
  publicApiUrl: ['addresses.publicApiUrl', address],
  explorerUrl: ['addresses.explorerUrl', address],
  fileHash: ['file.fileHash', lowerHash],
  hashScheme: ['commitment.hashScheme', text(/^(sha256-plain-v1|hmac-sha256-nonce-v[23])$/)],
  commitment: ['commitment.commitment', nullable(lowerHash)],
  nonce: ['commitment.nonce', nullable(lowerHash)],
  previous: ['revision.previousTransactionHash', nullable(upperHash)],
  network: ['anchor.network', text(/^(mainnet|testnet)$/)],
  standalone: ['anchor.standalone', (value) => typeof value === 'boolean'],
  account: ['anchor.account', text(/^r[1-9A-HJ-NP-Za-km-z]{24,34}$/)],
  transactionHash: ['anchor.transactionHash', upperHash],
  ledgerIndex: ['anchor.ledgerIndex', count],
  ledgerHash: ['anchor.ledgerHash', upperHash],
  closeTime: ['anchor.closeTime', count],
  closeTimeIso: ['anchor.closeTimeIso', text(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)],
  memo: ['evidence.memo.data', text(/^.{1,1024}$/s)],
  blob: ['evidence.blob', bytes],
  ledgerHeader: ['evidence.ledgerHeader', bytes],
  checksum: ['checksum', lowerHash],
};
