/** Pause before connecting again to a service that refused, in milliseconds. */
const pauseMs = 30_000;

/**
 * Keeps the page up to date while it can be seen. Elements with `data-proof` show the state of that
 * proof, elements with `data-live` a number. Each message is also an event `proof` of the document. A
 * page that missed too much says so, unless it has `data-follows`: it then handles the event `stale`.
 */
class Live {
  /** @type {EventSource | null} */
  #source = null;
  #root;
  /** Position of the log that the page shows. */
  #after;
  #stale;

  /** @param {DOMStringMap} page */
  constructor({ root = './', after = '', stale = '' }) {
    this.#root = root;
    this.#after = after;
    this.#stale = stale;
    document.addEventListener('visibilitychange', () => this.#connect());
    this.#connect();
  }

  /** A page that cannot be seen keeps no connection: browsers have six of them for a service. */
  #connect() {
    if (document.hidden) {
      this.#source?.close();
      this.#source = null;
      return;
    }
    if (this.#source !== null) return;
    const query = new URLSearchParams({ after: this.#after });
    if (document.querySelector('[data-live]') !== null) query.set('numbers', '1');
    const source = new EventSource(`${this.#root}console/live?${query}`);
    this.#source = source;
    source.addEventListener('proof', (event) => this.#onProof(event));
    source.addEventListener('numbers', ({ data }) => showNumbers(JSON.parse(data)));
    source.addEventListener('stale', (event) => this.#onStale(event));
    source.addEventListener('error', () => {
      if (source.readyState !== EventSource.CLOSED || this.#source !== source) return;
      this.#source = null;
      setTimeout(() => this.#connect(), pauseMs);
    });
  }

  /** @param {MessageEvent<string>} event */
  #onProof({ data, lastEventId }) {
    this.#after = lastEventId;
    const { proofId, status } = JSON.parse(data);
    for (const place of document.querySelectorAll('[data-proof]')) {
      if (place instanceof HTMLElement && place.dataset.proof === proofId) showState(place, status);
    }
    document.dispatchEvent(new CustomEvent('proof', { detail: { proofId, status } }));
  }

  /** @param {MessageEvent<string>} event */
  #onStale({ lastEventId }) {
    this.#after = lastEventId;
    // A page that follows the event asks for the states itself, and may show what is shown only once.
    if (document.querySelector('[data-follows], .out-of-date') === null) this.#showNote();
    document.dispatchEvent(new CustomEvent('stale'));
  }

  #showNote() {
    const note = document.createElement('p');
    [note.className, note.textContent] = ['note out-of-date', this.#stale];
    note.setAttribute('role', 'status');
    document.getElementById('content')?.prepend(note);
  }
}

/**
 * Shows the state of a proof, in the words of the element: `data-completed` and so on.
 * @param {HTMLElement} place
 * @param {string} status
 */
function showState(place, status) {
  place.textContent = place.dataset[status] ?? status;
  place.className = `badge badge-${status}`;
}

/** @param {Record<string, {text: string, value?: number}>} numbers */
function showNumbers(numbers) {
  for (const place of document.querySelectorAll('[data-live]')) {
    const number = place instanceof HTMLElement ? numbers[place.dataset.live ?? ''] : undefined;
    if (number === undefined) continue;
    if (place instanceof HTMLMeterElement) place.value = number.value ?? place.value;
    else if (place.textContent !== number.text) place.textContent = number.text;
  }
}

new Live(document.body.dataset);
