/**
 * A file to prove. `status`: `hashing`, `uploading`, `sent`, the states of a proof, or `failed`.
 * @typedef {object} Item
 * @property {File} file
 * @property {string} workspace
 * @property {boolean} isUpload
 * @property {'waiting' | 'hashing' | 'hashed' | 'uploading' | 'pending' | 'processing' | 'completed' | 'failed'} status
 * @property {number} doneBytes
 * @property {string | null} hash
 * @property {string | null} proofId
 * @property {string | null} nonce
 * @property {string | null} commitment
 * @property {boolean} isKnown True if the hash was proven before.
 * @property {number} uploads Number of times that the file was sent.
 * @property {string} why Reason of a failure.
 */

/**
 * @param {File} file
 * @param {{workspace: string, isUpload: boolean}} how
 * @returns {Item}
 */
export function newItem(file, how) {
  return {
    file,
    ...how,
    status: 'waiting',
    doneBytes: 0,
    hash: null,
    proofId: null,
    nonce: null,
    commitment: null,
    isKnown: false,
    uploads: 0,
    why: '',
  };
}
