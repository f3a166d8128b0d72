import { createHash } from 'node:crypto';
import type { Digest } from '../../../../src/domain/proof/digest.ts';
import type { ApiAnswer, ApiProcess } from './api-process.ts';
import type { Post } from './faults.ts';
import type { World } from './world.ts';

/** Callers that post hashes and compare every answer with the ledger. */
export class Callers {
  readonly violations: string[] = [];
  readonly answers = new Map<string, number>();
  readonly #world: World;
  readonly #api: () => ApiProcess;
  readonly #lastAnswer = new Map<number, ApiAnswer>();
  #waiting = 0;

  constructor(world: World, api: () => ApiProcess) {
    this.#world = world;
    this.#api = api;
  }

  get waiting(): number {
    return this.#waiting;
  }

  /** Files whose last answer was that nothing is on the ledger. */
  rolledBack(): number[] {
    return [...this.#lastAnswer]
      .filter(([, answer]) => answer?.code === 'XRPL_ERROR')
      .map(([file]) => file);
  }

  lastAnswer(file: number): ApiAnswer {
    return this.#lastAnswer.get(file) ?? null;
  }

  plan(post: Post): void {
    this.#waiting += 1;
    this.#world.time.at(post.atMs - this.#world.time.nowMs, () => {
      this.#post(post).finally(() => {
        this.#waiting -= 1;
      });
    });
  }

  async #post({ file, queued, again, pauseMs }: Post): Promise<void> {
    for (let left = again; ; left -= 1) {
      const answer = await this.#api().post(digestOf(file), queued);
      this.#lastAnswer.set(file, answer);
      const word = answer === null ? 'no answer' : `${answer.status} ${answer.code ?? ''}`.trim();
      this.answers.set(word, (this.answers.get(word) ?? 0) + 1);
      this.#check(file, answer);
      if ((answer !== null && answer.status < 300) || left <= 0) return;
      await this.#world.time.sleep(pauseMs);
    }
  }

  #check(file: number, answer: ApiAnswer): void {
    const wrong = (what: string) => {
      const at = Math.round(this.#world.time.nowMs);
      this.violations.push(
        `${at} ms: file ${file} was answered ${JSON.stringify(answer)}: ${what}`,
      );
    };
    if (answer === null) return;
    const { status, code, txHash } = answer;
    if (status === 201 || status === 200) {
      const entry = this.#world.truth.entryOf(txHash ?? '');
      if (entry?.result !== 'tesSUCCESS') wrong('its transaction is not on the ledger');
    } else if (code === 'XRPL_ERROR') {
      const isGone = this.#has(file, 'ProofWithdrawn') || this.#has(file, 'AnchorRefused');
      if (!isGone) wrong('nothing was rolled back');
    } else if (code === 'PROOF_NOT_RECORDED') {
      if (!this.#has(file, 'ProofQueued')) wrong('nobody goes on with it');
    } else if (status !== 202 && status !== 503) {
      wrong('the contract has no such answer');
    }
  }

  #has(file: number, type: string): boolean {
    const { events } = this.#world.database.store;
    const streams = streamsOf(this.#world, file);
    return events.some((event) => event.type === type && streams.includes(event.stream));
  }
}

/** Streams of all proofs ever requested for a file. */
export function streamsOf(world: World, file: number): string[] {
  const digest = digestOf(file);
  const requested = world.database.store.events.filter(
    (event) => event.type === 'ProofRequested' && event.data.fileHash === digest,
  );
  return requested.map(({ stream }) => stream);
}

function digestOf(file: number): Digest {
  return createHash('sha256').update(`file ${file}`).digest('hex') as Digest;
}
