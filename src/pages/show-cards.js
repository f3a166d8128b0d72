import { showCard } from './show-card.js';
import { isRecordAlone } from './show-verdict.js';

/** @import { Chain } from './chains.js' */
/** @import { Item } from './given-file.ts' */
/** @import { Actions } from './show-card.js' */
/** @import { Card } from './verdict.ts' */

/** @typedef {ReturnType<typeof showCard> & {state: string}} Shown */

/**
 * The list of cards. An unchanged card keeps its element, with its focus and its open details.
 */
export class Cards {
  /** @type {Map<string, Shown>} */
  #shown = new Map();
  /** @type {Map<string, boolean>} Cards that the user has opened or closed. */
  #opened = new Map();
  #list;
  #actions;
  #onLost;

  /**
   * @param {HTMLElement} list
   * @param {Omit<Actions, 'onToggle'> & {onOpen: (card: Card) => void, onLost: () => void}} options
   *   `onLost` is called when the focus was in a removed card.
   */
  constructor(list, { onOpen, onLost, ...actions }) {
    this.#list = list;
    this.#onLost = onLost;
    this.#actions = { ...actions, onOpen };
  }

  /**
   * @param {readonly Card[]} cards
   * @param {(transactionHash: string) => Chain | null} chainOf
   */
  show(cards, chainOf) {
    const { activeElement } = document;
    const focused = [...this.#shown].find(([, { shown }]) => shown.contains(activeElement));
    const isOnly = cards.length === 1;
    const before = this.#shown;
    this.#shown = new Map();
    for (const card of cards) {
      const chain = card.transactionHash === null ? null : chainOf(card.transactionHash);
      const state = stateOf(card, chain, isOnly);
      const known = before.get(card.key);
      const isSame = known?.state === state;
      this.#shown.set(card.key, isSame ? known : { ...this.#make(card, chain, isOnly), state });
    }
    this.#arrange([...this.#shown.values()].map(({ shown }) => shown));
    if (focused && activeElement) this.#keepFocus(focused[0], activeElement);
  }

  /** @param {Item} item */
  update(item) {
    for (const { rows } of this.#shown.values()) rows.get(item)?.update();
  }

  /**
   * @param {Card} card
   * @param {Chain | null} chain
   * @param {boolean} isOnly
   */
  #make(card, chain, isOnly) {
    // The question for the file of a recorded transaction comes before its details.
    const isOpenAtFirst = isOnly && !isRecordAlone(card.judgement);
    const isOpen = this.#opened.get(card.key) ?? isOpenAtFirst;
    const onToggle = (/** @type {boolean} */ isNowOpen) => {
      // Ignore the event of a card that is initially open: the user did not open it.
      if (isNowOpen !== (this.#opened.get(card.key) ?? isOpenAtFirst))
        this.#opened.set(card.key, isNowOpen);
      if (isNowOpen) this.#actions.onOpen(card);
    };
    return showCard(card, { chain, isOnly, isOpen }, { ...this.#actions, onToggle });
  }

  /**
   * Moves only misplaced elements, because a moved element loses the focus.
   * @param {readonly HTMLElement[]} wanted
   */
  #arrange(wanted) {
    for (const [index, element] of wanted.entries()) {
      const there = this.#list.children[index] ?? null;
      if (there !== element) this.#list.insertBefore(element, there);
    }
    while (this.#list.children.length > wanted.length) this.#list.lastElementChild?.remove();
  }

  /**
   * Moves the focus to the same control of the new card, or else to its title.
   * @param {string} key
   * @param {Element} focused
   */
  #keepFocus(key, focused) {
    if (document.activeElement === focused) return;
    const now = this.#shown.get(key)?.shown;
    const controls = [...(now?.querySelectorAll('button, summary, a') ?? [])];
    const same = controls.find((each) => nameOf(each) === nameOf(focused));
    const next = same ?? now?.querySelector('.verdict-title');
    if (next instanceof HTMLElement) next.focus();
    else this.#onLost();
  }
}

/** @param {Element} control */
function nameOf(control) {
  return `${control.tagName} ${control.getAttribute('aria-label') ?? control.textContent}`;
}

/**
 * Everything that a card shows, except the statements of its certificate, which never change.
 *
 * @param {Card} card
 * @param {Chain | null} chain
 * @param {boolean} isOnly
 */
function stateOf({ judgement, verification, certificate, files }, chain, isOnly) {
  const items = files.map(({ id, status }) => [id, status]);
  const shown = [judgement, verification, certificate?.id, items, chain, isOnly];
  return JSON.stringify(shown, (name, value) => (name === 'claims' ? undefined : value));
}
