/**
 * Keeps the focus in parts of a page whose content is replaced: on the first item that was added to a list,
 * or on the replacement of the focused control, or on the verdict. The content may also come later.
 */
export class KeptFocus {
  /** @type {{part: HTMLElement, name: string, nth: number, items: number} | null} */
  #kept = null;
  #parts;

  /** @param {readonly HTMLElement[]} parts */
  constructor(parts) {
    this.#parts = parts;
  }

  /** Call it before the content is replaced. */
  note() {
    const { activeElement: focused } = document;
    // The browser focuses the body when the focused control is gone.
    if (focused === document.body) return;
    const part = this.#parts.find((each) => each.contains(focused));
    if (part === undefined || focused === null) {
      this.#kept = null;
      return;
    }
    const name = nameOf(focused);
    const nth = controlsIn(part, name).indexOf(focused);
    this.#kept = { part, name, nth, items: part.querySelectorAll('summary').length };
  }

  /** Call it after the content is replaced. */
  restore() {
    if (this.#kept === null) return;
    const { part, name, nth, items } = this.#kept;
    const same = controlsIn(part, name)[nth];
    const added = part.querySelectorAll('summary')[items];
    const next = (items > 0 && added) || same || part.querySelector('.verdict-title') || added;
    if (!(next instanceof HTMLElement)) return;
    next.focus({ preventScroll: next === same });
    this.#kept = null;
  }
}

/**
 * @param {HTMLElement} part
 * @param {string} name
 */
function controlsIn(part, name) {
  return [...part.querySelectorAll('button, summary, a')].filter((each) => nameOf(each) === name);
}

/** @param {Element} control */
function nameOf(control) {
  return `${control.tagName} ${control.getAttribute('aria-label') ?? control.textContent}`;
}
