import { askIssued } from './ask-log.js';
import { longestPause } from './read-answer.js';

/** @import { Bundle } from '../verifier/bundle/bundle.ts' */
/** @import { RequestGate } from './ask-service.js' */
/** @import { IssuedPdf } from './checked-evidence.ts' */
/** @import { Item } from './given-file.ts' */

/** Records of the PDFs that were given, each requested once. */
export class IssuedRecords {
  /** @type {Map<string, {issued: IssuedPdf | null, asking: AbortController}>} */
  #asked = new Map();
  #gate;
  #onAnswer;

  /**
   * @param {() => void} onAnswer
   * @param {RequestGate} gate
   */
  constructor(onAnswer, gate) {
    this.#onAnswer = onAnswer;
    this.#gate = gate;
  }

  /**
   * The record of a certificate; `asking` before the service has answered; null for bytes that are not
   * recorded: a bundle alone, or a bundle without a signature of its issuer.
   *
   * @param {Item} item
   * @returns {IssuedPdf | 'asking' | null}
   */
  recordOf({ read }) {
    if (read === null || read.form !== 'pdf' || !read.bundle) return null;
    const host = issuingHost(read.bundle);
    if (host === null) return null;
    const pdf = read.fileHash;
    if (!this.#asked.has(pdf)) {
      if (isThisHost(host)) this.#ask(pdf);
      else this.#set(pdf, { pdf, answer: { found: 'elsewhere', host } });
    }
    return this.#asked.get(pdf)?.issued ?? 'asking';
  }

  /** Forgets the records of PDFs that are no longer given. @param {readonly Item[]} items */
  keep(items) {
    const given = new Set(items.map(({ read }) => read?.fileHash));
    for (const [pdf, { asking }] of this.#asked) {
      if (given.has(pdf)) continue;
      asking.abort();
      this.#asked.delete(pdf);
    }
  }

  /** True if a later request could be answered. */
  isAway() {
    return [...this.#asked.values()].some(({ issued }) => issued !== null && saysNothing(issued));
  }

  /** The longest pause that the service asks for; 0 without one. */
  pauseSeconds() {
    return longestPause([...this.#asked.values()].map(({ issued }) => issued?.answer ?? null));
  }

  /** Requests answers again that say nothing. Each is kept until the next one is there. */
  retry() {
    for (const [pdf, { issued }] of this.#asked) {
      if (issued !== null && saysNothing(issued)) this.#ask(pdf, issued);
    }
  }

  /**
   * @param {string} pdf
   * @param {IssuedPdf | null} issued
   */
  #set(pdf, issued) {
    const entry = { issued, asking: new AbortController() };
    this.#asked.set(pdf, entry);
    return entry;
  }

  /**
   * @param {string} pdf
   * @param {IssuedPdf | null} [before]
   */
  async #ask(pdf, before = null) {
    const entry = this.#set(pdf, before);
    const { signal } = entry.asking;
    const answer = await this.#gate.pass(() => askIssued(pdf, signal), signal).catch(() => null);
    if (answer === null || this.#asked.get(pdf) !== entry) return;
    entry.issued = { pdf, answer };
    this.#onAnswer();
  }
}

/**
 * Host of the service that signed a bundle and so recorded its PDF; null for a bundle without a signature.
 *
 * @param {Bundle} bundle
 */
function issuingHost(bundle) {
  if (!('issuer' in bundle) || !bundle.issuer) return null;
  const { verifyPageUrl } = bundle.addresses;
  return URL.canParse(verifyPageUrl) ? new URL(verifyPageUrl).host : null;
}

/** True for an answer that may be another one soon. @param {IssuedPdf} issued */
function saysNothing({ answer }) {
  return !['yes', 'absent', 'elsewhere', 'strange'].includes(answer.found);
}

/** True for the host of this page. All names of this machine count as one. @param {string} host */
function isThisHost(host) {
  return named(host) === named(location.host);
}

/** @param {string} host */
function named(host) {
  return host.replace(/^(127\.0\.0\.1|\[::1\])(?=:|$)/, 'localhost');
}
