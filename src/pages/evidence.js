import { checkBundle } from './reader.js';

/** @import { Bundle } from '../verifier/bundle/bundle.ts' */
/** @import { Checked, IssuedPdf, ServiceKeys } from './checked-evidence.ts' */

/** Results of verifying the signatures in bundles, each computed at first use. */
export class Evidence {
  /** @type {WeakMap<Bundle, {keys: string, issued: IssuedPdf | null, checked: Checked | 'missing' | null}>} */
  #known = new WeakMap();
  #keys = '';
  #service = serviceKeys();
  #missing = false;
  #onChecked;

  /** @param {() => void} onChecked */
  constructor(onChecked) {
    this.#onChecked = onChecked;
  }

  /**
   * Null until the signatures are verified; `missing` if the verifier could not be loaded.
   * @param {Bundle} bundle
   * @param {IssuedPdf | null} issued The PDF with the bundle, and the record of its bytes.
   * @returns {Checked | 'missing' | null}
   */
  checksOf(bundle, issued) {
    const known = this.#known.get(bundle);
    const isSame = known?.keys === this.#keys && known.issued?.answer === issued?.answer;
    if (known && isSame) return known.checked;
    // Earlier results stay until the keys that were entered are tried.
    this.#check(bundle, issued, known?.checked ?? null);
    return known?.checked ?? null;
  }

  /**
   * Keys that the reader knows, one on each line.
   * @param {string} keys
   */
  setKeys(keys) {
    this.#keys = keys;
  }

  /** Loads the verifier again where it was missing. */
  retry() {
    if (!this.#missing) return;
    this.#missing = false;
    this.#known = new WeakMap();
  }

  /** True if the verifier could not be loaded. */
  get isMissing() {
    return this.#missing;
  }

  /**
   * @param {Bundle} bundle
   * @param {IssuedPdf | null} issued
   * @param {Checked | 'missing' | null} before
   */
  async #check(bundle, issued, before) {
    const keys = this.#keys;
    const entry = { keys, issued, checked: before };
    this.#known.set(bundle, entry);
    const checked = await checkBundle(bundle, { keys, issued, service: this.#service }).catch(
      () => null,
    );
    entry.checked = checked ?? 'missing';
    if (checked === null) this.#missing = true;
    if (this.#known.get(bundle) === entry) this.#onChecked();
  }
}

/**
 * The keys in this page; none if the service did not know them when it sent the page.
 * @returns {ServiceKeys}
 */
function serviceKeys() {
  const written = document.getElementById('service-keys')?.textContent;
  return written ? JSON.parse(written) : { log: [], issuer: [] };
}
