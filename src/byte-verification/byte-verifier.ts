import { FairLine } from '../domain/fair-line.ts';
import type { OrganisationId } from '../domain/ulid.ts';
import type { ByteVerification, Verdict } from './contract.ts';
import { Detector, type DetectorLimits } from './detector.ts';
import { extensionOf } from './extension-of.ts';
import { judgeOf } from './judge.ts';
import { VerificationUnavailable } from './verification-unavailable.ts';

export interface ByteVerifierOptions {
  readonly limits?: DetectorLimits;
  /** How long a file may wait for a detector. */
  readonly lineMs?: number;
  /** The program of the detecting threads. */
  readonly thread?: URL;
}

const defaults = {
  limits: { startMs: 10_000, fileMs: 2_000 },
  lineMs: 10_000,
  thread: new URL('./detection-thread.ts', import.meta.url),
};

/** Two, so that a file that holds up one of them holds up nobody else. */
const detectorCount = 2;

/** Judges uploads by what detecting threads find. The threads start with the first file. */
export class ByteVerifier implements ByteVerification {
  readonly #detectors: readonly Detector[];
  readonly #idle: Detector[];
  readonly #lineMs: number;
  readonly #line = new FairLine<(detector: Detector) => void>();

  constructor(options: ByteVerifierOptions = {}) {
    const { limits, lineMs, thread } = { ...defaults, ...options };
    this.#detectors = Array.from({ length: detectorCount }, () => new Detector(thread, limits));
    this.#idle = [...this.#detectors];
    this.#lineMs = lineMs;
  }

  async verify(path: string, fileName: string, organisationId: OrganisationId): Promise<Verdict> {
    const judge = judgeOf(extensionOf(fileName));
    if (judge === null) return { status: 'verified' };
    const detector = await this.#turn(organisationId);
    try {
      return judge(await detector.detect(path));
    } finally {
      this.#pass(detector);
    }
  }

  async close(): Promise<void> {
    await Promise.all(this.#detectors.map((detector) => detector.close()));
  }

  #turn(organisationId: OrganisationId): Promise<Detector> {
    const idle = this.#idle.pop();
    if (idle !== undefined) return Promise.resolve(idle);
    return new Promise((resolve, reject) => {
      const take = (detector: Detector) => {
        clearTimeout(timer);
        resolve(detector);
      };
      const timer = setTimeout(() => {
        this.#line.leave(organisationId, take);
        reject(new VerificationUnavailable('too many files wait to be looked at'));
      }, this.#lineMs);
      this.#line.join(organisationId, take);
    });
  }

  #pass(detector: Detector): void {
    const next = this.#line.next();
    if (next === undefined) this.#idle.push(detector);
    else next(detector);
  }
}
