import { CallFailed } from './prove-calls.js';

/** @import { Item } from './prove-item.js' */
/** @import { ProveCalls } from './prove-calls.js' */

/** Maximum number of times that a certificate is asked for. */
const mostAttempts = 5;
/** Longest pause in which the reader waits; a daily limit takes longer. */
const mostSeconds = 180;

/** Downloads certificates one after the other, and remembers which ones. */
export class CertificateSaver {
  /** @type {Set<string>} Proofs whose certificates were saved. */
  #saved = new Set();
  #calls;
  #save;
  #onWait;
  #pause;

  /**
   * @param {Pick<ProveCalls, 'certificate'>} calls
   * @param {object} how
   * @param {(blob: Blob, name: string) => void} how.save
   * @param {(seconds: number) => void} how.onWait Called before each pause.
   * @param {(seconds: number) => Promise<void>} [how.pause]
   */
  constructor(calls, { save, onWait, pause = pauseFor }) {
    this.#calls = calls;
    this.#save = save;
    this.#onWait = onWait;
    this.#pause = pause;
  }

  /**
   * The proofs whose certificates were not saved yet, each once: a file may be on the page twice.
   * @param {readonly Item[]} items
   */
  unsaved(items) {
    const asked = new Set(this.#saved);
    return items.filter(({ proofId }) => {
      if (proofId === null || asked.has(proofId)) return false;
      asked.add(proofId);
      return true;
    });
  }

  /**
   * Rejects with `SessionEnded`, and with `CallFailed` if the service refuses, or is busy for longer
   * than the reader waits. Certificates saved before stay saved.
   * @param {readonly Item[]} items
   */
  async save(items) {
    for (const { proofId, file } of items) {
      if (proofId === null) continue;
      this.#save(await this.#ask(proofId), `certificate of ${file.name}.pdf`);
      this.#saved.add(proofId);
    }
  }

  /**
   * Asks again if the service is busy: issuing a certificate may take longer than an answer.
   * @param {string} proofId
   */
  async #ask(proofId) {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#calls.certificate(proofId);
      } catch (error) {
        const seconds = error instanceof CallFailed ? error.seconds : null;
        if (seconds === null || seconds > mostSeconds || attempt >= mostAttempts) throw error;
        this.#onWait(seconds);
        await this.#pause(seconds);
      }
    }
  }
}

/** @param {number} seconds @returns {Promise<void>} */
function pauseFor(seconds) {
  return new Promise((resolve) => setTimeout(resolve, seconds * 1_000));
}
