import { RequestGate } from './ask-service.js';
import { Chains } from './chains.js';
import { CheckTime } from './check-time.js';
import { Commitments } from './commitments.js';
import { Evidence } from './evidence.js';
import { previousOf } from './follow-chain.js';
import { IssuedRecords } from './issued-records.js';
import { judgeItems } from './judge-items.js';
import { LedgerAnswers } from './ledger-answers.js';
import { ReadingQueue } from './reading-queue.js';
import { RetryLater } from './retry-later.js';
import { sampleTransaction } from './sample-proof.js';
import { summarise } from './summarise.js';

/** @import { Item } from './given-file.ts' */
/** @import { NamedServer } from './named-server.js' */
/** @import { Summary } from './summarise.js' */
/** @import { Card } from './verdict.ts' */

/** Maximum number of files. Each file may cause several requests to the service. */
export const maxItems = 500;
/** From this number of files on, verdicts are made at most three times a second. */
const manyItems = 50;
const betweenMs = 300;

/**
 * All input and its verdicts. Calls `onChange` after each change of input or verdicts, and
 * `onProgress` while a file is read.
 */
export class Session {
  /** @type {readonly Item[]} */
  items = [];
  /** @type {string | null} */
  typedHash = null;
  /** @type {string | null} */
  typedNonce = null;
  /** @type {readonly Card[]} */
  cards = [];
  /** @type {Summary | null} */
  summary = null;
  /** True if the user must type the nonce of a proof. */
  needsNonce = false;
  #queue;
  #gate = new RequestGate();
  #answers = new LedgerAnswers(() => this.#settleSoon(), this.#gate);
  #chains = new Chains(
    (hash, signal) => this.#answers.ask(hash, signal),
    () => this.#settle(),
  );
  #commitments = new Commitments(() => this.#settle());
  #evidence = new Evidence(() => this.#settleSoon());
  #issued = new IssuedRecords(() => this.#settleSoon(), this.#gate);
  /** @type {NamedServer | null} Loaded when a server is named. */
  #named = null;
  #retryLater = new RetryLater(() => this.#retry({ everything: false }));
  #checkTime = new CheckTime();
  /** @type {ReturnType<typeof setTimeout> | null} */
  #settling = null;
  #onChange;

  /** @param {{onChange: () => void, onProgress: (item: Item) => void}} listeners */
  constructor({ onChange, onProgress }) {
    this.#onChange = onChange;
    this.#queue = new ReadingQueue({ onRead: () => this.#settleSoon(), onProgress });
  }

  /**
   * Adds all files, or none if there would be too many.
   * @param {readonly File[]} files
   * @param {(file: File) => string} [folderOf]
   * @returns {boolean} True if the files were added.
   */
  add(files, folderOf = () => '') {
    if (this.items.length + files.length > maxItems) return false;
    this.#retryLater.reset();
    this.items = [...this.items, ...files.map((file) => this.#queue.add(file, folderOf(file)))];
    this.#settle();
    return true;
  }

  /** @param {Item} item */
  remove(item) {
    item.reading.abort();
    this.items = this.items.filter((each) => each !== item);
    this.#settle();
  }

  /** Removes all input. */
  startAgain() {
    for (const { reading } of this.items) reading.abort();
    this.items = [];
    [this.typedHash, this.typedNonce] = [null, null];
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

  /** Keys that the reader knows, one on each line. @param {string} keys */
  setKeys(keys) {
    this.#evidence.setKeys(keys);
    this.#settle();
  }

  /**
   * Asks a ledger server from now on; null for none. False if the address is that of no server.
   * @param {string | null} server
   */
  async setServer(server) {
    const { NamedServer, readServer } = await import('./named-server.js');
    if (server !== null && readServer(server) === null) return false;
    this.#named ??= new NamedServer(() => this.#settleSoon());
    this.#named.setServer(server);
    this.#settle();
    return true;
  }

  /** Name of the ledger server that is asked; null without one. */
  get server() {
    return this.#named?.name ?? null;
  }

  /** Time of the last check that changed a verdict: ISO 8601, UTC; null without a verdict. */
  get checkedAt() {
    return this.#checkTime.iso;
  }

  /** Repeats for the reader everything that gave no result: requests, and loading parts of this page. */
  retry() {
    this.#retry({ everything: true });
  }

  /** @param {{everything: boolean}} extent False: only what an outage is the reason for. */
  #retry(extent) {
    this.#answers.retry(extent);
    this.#named?.retry(extent);
    this.#evidence.retry();
    this.#issued.retry();
    this.#commitments.retry();
    this.#queue.retry();
    this.#settle();
  }

  /** @param {string} transactionHash */
  chainOf(transactionHash) {
    return this.#chains.chainOf(transactionHash);
  }

  /**
   * Looks up earlier revisions, or more of them.
   * @param {string} transactionHash
   */
  followOn(transactionHash) {
    this.#chains.follow(transactionHash);
  }

  #settleSoon() {
    if (this.items.length < manyItems) this.#settle();
    else this.#settling ??= setTimeout(() => this.#settle(), betweenMs);
  }

  #settle() {
    if (this.#settling !== null) clearTimeout(this.#settling);
    this.#settling = null;
    this.#judge();
    const hashes = this.cards
      .flatMap(({ transactionHash }) => transactionHash ?? [])
      .filter((hash) => hash !== sampleTransaction);
    this.#answers.keep(hashes);
    this.#named?.keep(hashes);
    this.#issued.keep(this.items);
    this.#chains.keep(hashes);
    this.#beginChains();
    this.#retryLater.plan({
      isNeeded: this.#isAway(),
      isSettled: this.cards.every(isSettled),
      seconds: Math.max(this.#answers.pauseSeconds(), this.#issued.pauseSeconds()),
    });
    this.#onChange();
  }

  /** True if an outage, and nothing else, is the reason for a missing verdict. */
  #isAway() {
    const isStalled = this.items.some(({ status }) => status === 'stalled');
    const isPartMissing = isStalled || this.#evidence.isMissing || this.#commitments.isMissing;
    const isLogAway = this.#issued.isAway();
    return isPartMissing || isLogAway || this.#answers.isAway() || this.#named?.isAway() === true;
  }

  /**
   * Null until the signatures are verified, and the service was asked for the record of a PDF.
   * @param {Item} item
   */
  #checksOf(item) {
    const issued = this.#issued.recordOf(item);
    const bundle = item.read?.bundle ?? null;
    return issued === 'asking' || bundle === null ? null : this.#evidence.checksOf(bundle, issued);
  }

  #judge() {
    const { cards, needsNonce } = judgeItems({
      items: this.items,
      typedHash: this.typedHash,
      typedNonce: this.typedNonce,
      answerTo: (hash) =>
        hash === sampleTransaction ? { found: 'no' } : this.#answers.answerTo(hash),
      server: this.server,
      namedAnswerTo: (hash) => this.#named?.answerTo(hash) ?? null,
      checksOf: (item) => this.#checksOf(item),
      chainOf: (hash) => this.#chains.chainOf(hash),
      commitmentOf: (nonce, fileHash) => this.#commitments.commitmentOf(nonce, fileHash),
    });
    this.cards = cards;
    this.summary = summarise(cards);
    this.#checkTime.note(cards, (hash) => this.#chains.chainOf(hash));
    this.needsNonce = needsNonce;
  }

  /** Looks up the chain of a single proof, and of proofs whose missing file may be in the chain. */
  #beginChains() {
    for (const { transactionHash, verification, files } of this.cards) {
      if (transactionHash === null || verification === null) continue;
      const previous = previousOf(verification);
      if (previous === null) continue;
      this.#chains.begin(transactionHash, previous);
      const isNew = this.#chains.chainOf(transactionHash)?.links.length === 0;
      if (isNew && (this.cards.length === 1 || files.length === 0)) this.followOn(transactionHash);
    }
  }
}

/** True if no answer and no reading is awaited for a verdict. @param {Card} card */
function isSettled({ judgement: { text, steps } }) {
  const isAsking = steps.some(({ name, status }) => name === 'server' && status === 'open');
  return text !== 'reading' && text !== 'asking' && !isAsking;
}
