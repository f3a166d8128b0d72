import { askCheckpoints } from './ask-log.js';

/** @import { NoAnswer } from './ask-log.js' */
/** @import { Listed } from './read-log.js' */

/** Checkpoints on a page of the list. */
const limit = 5;

/** A list of published checkpoints that grows page by page. */
export class CheckpointList {
  /** @type {Listed[]} */
  checkpoints = [];
  /** @type {'asking' | 'shown' | NoAnswer} */
  state = 'asking';
  #page = 0;
  #total = 0;
  #isAnchored;
  #onChange;

  /**
   * @param {boolean} isAnchored True for checkpoints on the ledger alone.
   * @param {() => void} onChange
   */
  constructor(isAnchored, onChange) {
    this.#isAnchored = isAnchored;
    this.#onChange = onChange;
  }

  /** True if the service has further checkpoints. */
  get hasMore() {
    return this.#page * limit < this.#total;
  }

  /** Asks for the next page, or again for the one that failed. */
  async more() {
    this.state = 'asking';
    this.#onChange();
    const page = this.#page + 1;
    const answer = await askCheckpoints({ page, limit, anchored: this.#isAnchored });
    if (answer.found === 'yes') {
      // A log without checkpoints has its first page later.
      if (answer.data.total > 0) this.#page = page;
      this.#total = answer.data.total;
      // The pages move on with each new checkpoint.
      const shown = new Set(this.checkpoints.map(({ number }) => number));
      this.checkpoints.push(...answer.data.checkpoints.filter(({ number }) => !shown.has(number)));
      this.state = 'shown';
    } else this.state = answer;
    this.#onChange();
  }
}
