/**
 * A published checkpoint as the service lists it. Nothing in it is verified.
 *
 * @typedef {object} Listed
 * @property {number} number
 * @property {string} checkpoint A signed note.
 * @property {string[]} logKeys
 * @property {ListedAnchor | null} anchor
 * @property {{time: string, authority: string, token: string} | null} timestamp
 *
 * @typedef {object} ListedAnchor
 * @property {'mainnet' | 'testnet' | 'standalone'} network
 * @property {boolean} standalone
 * @property {string} transactionHash
 * @property {string | null} explorerUrl
 * @property {number} ledgerIndex
 * @property {string} ledgerCloseTime
 * @property {string} memo
 *
 * @typedef {{checkpoints: Listed[], total: number}} List
 */

/**
 * A leaf of the log as the service states it. Nothing in it is verified.
 *
 * @typedef {object} Leaf
 * @property {string} leafHash
 * @property {number} leafIndex
 * @property {string[]} hashes
 * @property {string} checkpoint A signed note.
 * @property {string[]} logKeys
 */

/**
 * Reads a list of checkpoints. Null if the answer has an unknown form.
 * @param {any} body
 * @returns {List | null}
 */
export function readList(body) {
  const { data, meta } = body ?? {};
  if (!Array.isArray(data) || data.length > 100 || !isCount(meta?.total)) return null;
  return data.every(isListed) ? { checkpoints: data, total: meta.total } : null;
}

/**
 * Reads a leaf. Null if the answer has an unknown form.
 * @param {any} body
 * @returns {Leaf | null}
 */
export function readLeaf(body) {
  const data = body?.data;
  const isLeaf =
    isHash(data?.leafHash) && isCount(data.leafIndex) && isList(isHash, 64)(data.hashes);
  return isLeaf && isNote(data.checkpoint) && isKeys(data.logKeys) ? data : null;
}

/** @typedef {(value: any) => boolean} Test */

/** @type {Test} */
const isCount = (value) => Number.isSafeInteger(value) && value >= 0;
/** @type {(pattern: RegExp) => Test} */
const text = (pattern) => (value) => typeof value === 'string' && pattern.test(value);
/** @type {(test: Test, most: number) => Test} */
const isList = (test, most) => (value) =>
  Array.isArray(value) && value.length <= most && value.every(test);

const isHash = text(/^[a-f0-9]{64}$/);
const isNote = text(/^[\s\S]{1,100000}$/);
const isKeys = isList(text(/^.{1,10000}$/), 100);
const isTime = text(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,3})?Z$/);

/** @type {Test} */
const isAnchor = (anchor) =>
  text(/^(mainnet|testnet|standalone)$/)(anchor?.network) &&
  typeof anchor.standalone === 'boolean' &&
  text(/^[A-F0-9]{64}$/)(anchor.transactionHash) &&
  (anchor.explorerUrl === null || text(/^.{1,1000}$/)(anchor.explorerUrl)) &&
  isCount(anchor.ledgerIndex) &&
  isTime(anchor.ledgerCloseTime) &&
  text(/^.{0,10000}$/s)(anchor.memo);

/** @type {Test} */
const isTimestamp = (timestamp) =>
  isTime(timestamp?.time) &&
  text(/^.{0,1000}$/s)(timestamp.authority) &&
  text(/^[A-Za-z0-9+/=]{1,100000}$/)(timestamp.token);

/** @type {Test} */
const isListed = (one) =>
  isCount(one?.number) &&
  isNote(one.checkpoint) &&
  isKeys(one.logKeys) &&
  (one.anchor === null || isAnchor(one.anchor)) &&
  (one.timestamp === null || isTimestamp(one.timestamp));
