import { askLedger } from './ask-ledger.js';
import { followChain, previousOf } from './follow-chain.js';
import { judge } from './judge.js';
import { computeCommitment, readFile } from './reader.js';

/** @import { Answer } from './ask-ledger.js' */
/** @import { Link } from './follow-chain.js' */
/** @import { Certificate } from './read-bundle.js' */
/** @import { ReadFile } from './reading-worker.js' */

/**
 * A file that was given.
 *
 * @typedef {object} Item
 * @property {File} file
 * @property {'reading' | 'unread' | 'file' | 'certificate'} role
 * @property {number} doneBytes
 * @property {ReadFile | null} read
 * @property {Item | null} replaced What it took the place of.
 * @property {AbortController} reading
 */

/**
 * What was given, what was found out of it, and what is being found out. `onChange` is called after
 * each change of either; `onProgress` while a file is read.
 */
export class Session {
  /** @type {Item[]} */
  items = [];
  /** @type {string | null} */
  typedHash = null;
  /** @type {string | null} */
  typedNonce = null;
  /** @type {{first: string, links: readonly Link[], isFollowing: boolean} | null} */
  chain = null;
  /** @type {Answer | null} */
  #answer = null;
  /** @type {string | null} */
  #askedFor = null;
  #asking = new AbortController();
  /** @type {{of: string, is: string | null}} */
  #commitment = { of: '', is: null };
  #onChange;
  #onProgress;

  /** @param {{onChange: () => void, onProgress: (item: Item) => void}} listeners */
  constructor({ onChange, onProgress }) {
    this.#onChange = onChange;
    this.#onProgress = onProgress;
  }

  /** @returns {Certificate | null} */
  get certificate() {
    return this.#inRole('certificate')?.read?.certificate ?? null;
  }

  get transactionHash() {
    return this.certificate?.transactionHash ?? this.typedHash;
  }

  /** What the ledger has, once it was asked. */
  get verification() {
    return this.#answer?.found === 'yes' ? this.#answer.data : null;
  }

  /** Whether the nonce must be asked for: the proof is salted, and no certificate tells it. */
  get needsNonce() {
    const scheme = this.verification?.memo?.hashScheme;
    const isSalted = typeof scheme === 'string' && scheme !== 'sha256-plain-v1';
    return isSalted && (this.certificate?.nonce ?? null) === null && this.#fileHash !== null;
  }

  /** Null as long as there is nothing to judge. */
  get judgement() {
    const isReading = this.items.some(({ role }) => role === 'reading');
    // What was given before may be about to be replaced.
    const fileHash = isReading ? null : this.#fileHash;
    const { transactionHash } = this;
    const isUnread = this.#inRole('unread') !== undefined;
    if ((fileHash ?? transactionHash) === null && !isReading && !isUnread) return null;
    const read = this.#inRole('certificate')?.read ?? null;
    const given = read?.certificate
      ? { certificate: read.certificate, isConsistent: read.isConsistent }
      : null;
    const isBusy = isReading || this.#commitment.of !== this.#commitmentWanted;
    const commitment = this.#commitment.is;
    const answer = this.#answer;
    return judge({ fileHash, given, transactionHash, answer, commitment, isUnread, isBusy });
  }

  /** @param {Iterable<File>} files */
  add(files) {
    for (const file of files) {
      const reading = new AbortController();
      /** @type {Item} */
      const item = { file, role: 'reading', doneBytes: 0, read: null, replaced: null, reading };
      this.items = [...this.items.filter(({ role }) => role !== 'unread'), item];
      this.#read(item);
    }
    this.#settle();
  }

  /** @param {Item} item */
  remove(item) {
    item.reading.abort();
    this.items = this.items.filter((each) => each !== item);
    this.#settle();
  }

  /**
   * @param {Item} item
   * @param {'file' | 'certificate'} role
   */
  use(item, role) {
    this.#give(item, role, true);
    this.#settle();
  }

  /** @param {string | null} hash */
  setHash(hash) {
    this.typedHash = hash;
    this.#settle();
  }

  /** @param {string | null} nonce */
  setNonce(nonce) {
    this.typedNonce = nonce;
    this.#settle();
  }

  /** Asks the ledger once more. */
  retry() {
    this.#askedFor = null;
    this.#settle();
  }

  /** Looks further revisions up. */
  async followOn() {
    const { chain } = this;
    if (chain === null || chain.isFollowing) return;
    const { signal } = this.#asking;
    /** @type {(links: readonly Link[], isFollowing: boolean) => void} */
    const tell = (links, isFollowing) => {
      if (signal.aborted) return;
      this.chain = { ...chain, links, isFollowing };
      this.#onChange();
    };
    tell(chain.links, true);
    const onLink = (/** @type {readonly Link[]} */ links) => tell(links, true);
    const followed = followChain(chain.first, chain.links, { signal, onLink });
    await followed.then((links) => tell(links, false)).catch(() => {});
  }

  get #fileHash() {
    return this.#inRole('file')?.read?.fileHash ?? null;
  }

  /** @param {Item['role']} role */
  #inRole(role) {
    return this.items.find((item) => item.role === role);
  }

  /** @param {Item} item */
  async #read(item) {
    const { signal } = item.reading;
    const onProgress = (/** @type {number} */ doneBytes) => {
      item.doneBytes = doneBytes;
      this.#onProgress(item);
    };
    try {
      item.read = await readFile(item.file, { onProgress, signal });
      this.#place(item, item.read);
    } catch {
      if (signal.aborted) return;
      item.role = 'unread';
    }
    this.#settle();
  }

  /**
   * What holds a proof is the certificate, all else the file. A proof can itself be proven: of two of
   * them, the one that the other is about is the file.
   *
   * @param {Item} item
   * @param {ReadFile} read
   */
  #place(item, { certificate, fileHash }) {
    const other = this.#inRole('certificate');
    if (certificate === null || other?.read?.certificate?.fileHash === fileHash) {
      this.#give(item, 'file');
      return;
    }
    if (other && certificate.fileHash === other.read?.fileHash) this.#give(other, 'file', true);
    this.#give(item, 'certificate');
  }

  /**
   * Of two the one that was given last stays, whichever was read first, unless it is `certain`.
   * @param {Item} item
   * @param {'file' | 'certificate'} role
   * @param {boolean} [certain]
   */
  #give(item, role, certain = false) {
    const pair = this.items.filter((each) => each === item || each.role === role);
    const stays = certain ? item : (pair.at(-1) ?? item);
    const goes = pair.find((each) => each !== stays) ?? null;
    this.items = this.items.filter((each) => each !== goes);
    [stays.role, stays.replaced] = [role, goes];
  }

  #settle() {
    this.#ask();
    this.#compute();
    this.#onChange();
  }

  async #ask() {
    const hash = this.transactionHash;
    if (hash === this.#askedFor) return;
    this.#asking.abort();
    this.#asking = new AbortController();
    const { signal } = this.#asking;
    [this.#askedFor, this.#answer, this.chain] = [hash, null, null];
    if (hash === null) return;
    const answer = await askLedger(hash, signal).catch(() => null);
    if (signal.aborted || answer === null) return;
    this.#answer = answer;
    const previous = answer.found === 'yes' ? previousOf(answer.data) : null;
    if (previous !== null) this.chain = { first: previous, links: [], isFollowing: false };
    this.#settle();
    this.followOn();
  }

  get #commitmentWanted() {
    const nonce = this.certificate?.nonce ?? this.typedNonce;
    const fileHash = this.#fileHash;
    return nonce === null || fileHash === null ? '' : `${nonce} ${fileHash}`;
  }

  async #compute() {
    const wanted = this.#commitmentWanted;
    if (wanted === this.#commitment.of) return;
    const [nonce = '', fileHash = ''] = wanted.split(' ');
    const is = wanted === '' ? null : await computeCommitment(nonce, fileHash);
    if (wanted !== this.#commitmentWanted) return;
    this.#commitment = { of: wanted, is };
    this.#onChange();
  }
}
