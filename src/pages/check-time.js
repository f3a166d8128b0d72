/** @import { Chain } from './chains.js' */
/** @import { Card } from './verdict.ts' */

/**
 * Time of the last check that changed a verdict, as reports state it. Saving or printing a report later
 * checks nothing.
 */
export class CheckTime {
  /** ISO 8601, UTC; null before the first verdict. @type {string | null} */
  iso = null;
  #judged = '';
  #now;

  /** @param {() => Date} [now] */
  constructor(now = () => new Date()) {
    this.#now = now;
  }

  /**
   * Call it after each judgement.
   *
   * @param {readonly Card[]} cards
   * @param {(transactionHash: string) => Chain | null} chainOf
   */
  note(cards, chainOf) {
    const judged = JSON.stringify(cards.map((card) => checkedIn(card, chainOf)));
    if (judged === this.#judged) return;
    this.#judged = judged;
    this.iso = cards.length === 0 ? null : this.#now().toISOString();
  }
}

/**
 * Everything that a check may change in a card.
 *
 * @param {Card} card
 * @param {(transactionHash: string) => Chain | null} chainOf
 */
function checkedIn({ key, files, transactionHash, judgement }, chainOf) {
  const { kind, text, values, steps } = judgement;
  const chain = transactionHash === null ? null : chainOf(transactionHash);
  return [
    ...[key, kind, text, values, files.map(({ id }) => id)],
    steps.map((step) => [step.name, step.status, step.text, step.with, step.values]),
    (chain?.links ?? []).map((link) => [link.transactionHash, link.answer.found]),
  ];
}
