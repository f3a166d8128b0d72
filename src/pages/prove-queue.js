import { HashThread } from './hash-thread.js';
import { CallFailed } from './prove-calls.js';
import { newItem } from './prove-item.js';

/** @import { ProveCalls, Result } from './prove-calls.js' */
/** @import { Item } from './prove-item.js' */

/** Maximum number of hashes in one call. */
const batchItems = 100;
/** Pause in which further hashes join a batch. */
const gatherMs = 200;
/** Maximum number of times that a file is sent which a proxy refuses. */
const mostUploads = 3;
/** Maximum number of states that arrive before the answer that names their proofs. */
const mostStates = 5_000;

/** Hashes files, sends hashes or files, and follows the proofs. Calls `onChange` with each changed item. */
export class ProveQueue {
  /** @type {Item[]} */
  items = [];
  #calls;
  #onChange;
  #onTrouble;
  #thread = new HashThread();
  /** @type {Item[]} */
  #unsent = [];
  #isSending = false;
  /** @type {ReturnType<typeof setTimeout> | null} */
  #gathering = null;
  /** @type {Map<string, string>} States by proof. */
  #states = new Map();

  /**
   * @param {ProveCalls} calls
   * @param {{onChange: (item: Item) => void, onTrouble: (error: unknown) => void}} listeners
   *   `onTrouble` is called with `SessionEnded` or `CallFailed` when sending stopped, until `resume`.
   */
  constructor(calls, { onChange, onTrouble }) {
    this.#calls = calls;
    this.#onChange = onChange;
    this.#onTrouble = onTrouble;
  }

  /**
   * @param {readonly File[]} files
   * @param {{workspace: string, isUpload: boolean}} how
   */
  add(files, how) {
    const added = files.map((file) => newItem(file, how));
    this.items.push(...added);
    for (const item of added) {
      this.#onChange(item);
      this.#hash(item);
    }
  }

  /**
   * @param {string} proofId
   * @param {string} status
   */
  setState(proofId, status) {
    if (this.#states.size >= mostStates) this.#states.clear();
    this.#states.set(proofId, status);
    for (const item of this.items) if (item.proofId === proofId) this.#follow(item, status);
  }

  /** Sends on after trouble. */
  resume() {
    this.#send();
  }

  /** Asks again for the states of all proofs that are not complete. */
  askAgain() {
    const open = this.items.filter(({ status }) => status === 'pending' || status === 'processing');
    this.#unsent.push(...open.filter((item) => !this.#unsent.includes(item)));
    this.#send();
  }

  /** @param {Item} item */
  async #hash(item) {
    try {
      item.hash = await this.#thread.hash(item.file, (doneBytes) => {
        this.#change(item, { status: 'hashing', doneBytes });
      });
    } catch {
      this.#fail(item, 'The file cannot be read, or it changed meanwhile.');
      return;
    }
    this.#change(item, { status: 'hashed' });
    this.#unsent.push(item);
    if (this.#unsent.length >= batchItems) this.#send();
    else this.#gathering ??= setTimeout(() => this.#send(), gatherMs);
  }

  async #send() {
    if (this.#gathering !== null) clearTimeout(this.#gathering);
    this.#gathering = null;
    if (this.#isSending) return;
    this.#isSending = true;
    try {
      while (this.#unsent.length > 0) await this.#sendSome();
    } catch (error) {
      this.#onTrouble(error);
    } finally {
      this.#isSending = false;
    }
  }

  /** Sends a file, or some hashes. Whatever was not answered stays to be sent. */
  async #sendSome() {
    const [first] = this.#unsent;
    if (first === undefined) return;
    // The hash is enough to ask for the state of a proof, also of an uploaded file.
    const isSentWhole = (/** @type {Item} */ item) => item.isUpload && item.proofId === null;
    const isWhole = isSentWhole(first);
    const isAlike = (/** @type {Item} */ item) =>
      isSentWhole(item) === isWhole && item.workspace === first.workspace;
    const sent = isWhole ? [first] : this.#unsent.filter(isAlike).slice(0, batchItems);
    const results = isWhole
      ? [await this.#upload(first).catch((error) => lastRefusal(error, first))]
      : await this.#prove(first, sent).catch((error) => refusals(error, sent));
    this.#unsent = this.#unsent.filter((item) => !sent.includes(item));
    for (const [index, item] of sent.entries()) this.#settle(item, results[index]);
  }

  /**
   * @param {Item} first
   * @param {readonly Item[]} sent
   */
  #prove({ workspace }, sent) {
    const items = sent.map(({ file, hash }) => ({
      ...{ hash, fileName: file.name.slice(0, 255), fileSize: file.size },
      ...(file.type !== '' && { mimeType: file.type.slice(0, 255) }),
    }));
    return this.#calls.proveHashes(workspace, items);
  }

  /** @param {Item} item */
  #upload(item) {
    item.uploads += 1;
    return this.#calls.upload(item.workspace, item.file, (doneBytes) => {
      this.#change(item, { status: 'uploading', doneBytes });
    });
  }

  /**
   * @param {Item} item
   * @param {Result | undefined} result
   */
  #settle(item, result) {
    const { message, alreadyProven = false, data } = result?.body ?? {};
    if (data === undefined) {
      // A question for the state of a proof was refused: the proof is as it was.
      if (item.proofId !== null) return;
      this.#fail(item, message ?? 'The service gave no answer for this file.');
      return;
    }
    if (data.fileHash !== undefined && data.fileHash !== item.hash) {
      this.#fail(item, 'The service received other bytes than your browser read.');
      return;
    }
    // A question for the state of a proof, or a file sent again, finds the proof that this page made.
    const isAsked = item.proofId !== null || item.uploads > 1;
    if (!isAsked) item.isKnown = alreadyProven && data.proofNonce == null;
    item.proofId = data.proofId;
    item.nonce = data.proofNonce ?? item.nonce;
    item.commitment = data.proofCommitment ?? item.commitment;
    this.#follow(item, data.blockchainStatus ?? 'completed');
    const later = this.#states.get(data.proofId);
    if (later !== undefined) this.#follow(item, later);
  }

  /**
   * @param {Item} item
   * @param {string} status
   */
  #follow(item, status) {
    if (item.status === 'completed') return;
    if (status === 'pending' || status === 'processing' || status === 'completed') {
      this.#change(item, { status });
    } else this.#fail(item, 'The proof was given up. Ask the operator of the service.');
  }

  /**
   * @param {Item} item
   * @param {string} why
   */
  #fail(item, why) {
    this.#change(item, { status: 'failed', why: `${why.charAt(0).toUpperCase()}${why.slice(1)}` });
  }

  /**
   * @param {Item} item
   * @param {Partial<Item>} change
   */
  #change(item, change) {
    Object.assign(item, change);
    this.#onChange(item);
  }
}

/**
 * The results of a batch that was refused for good, so that the files after it are sent. Throws all
 * other errors: the batch is sent again.
 * @param {unknown} error
 * @param {readonly Item[]} sent
 * @returns {readonly Result[]}
 */
function refusals(error, sent) {
  if (!(error instanceof CallFailed) || error.seconds !== null) throw error;
  const { message } = error;
  return sent.map(() => ({ status: 400, body: { message } }));
}

/**
 * The result of a file that a proxy has refused often enough, so that the files after it are sent. Throws
 * all other errors: the file is sent again.
 * @param {unknown} error
 * @param {Item} item
 * @returns {Result}
 */
function lastRefusal(error, { uploads }) {
  if (!(error instanceof CallFailed && error.isOfProxy) || uploads < mostUploads) throw error;
  return { status: 502, body: { message: error.message } };
}
