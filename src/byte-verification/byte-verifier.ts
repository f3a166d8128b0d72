import { FairLine } from '../domain/fair-line.ts';
import type { OrganisationId } from '../domain/ulid.ts';
import type { EncryptedFile } from '../encrypted-files/segment-reader.ts';
import type { BytesVerdict, ByteVerification } from './contract.ts';
import { Detector, type DetectorLimits } from './detector.ts';
import { type Signature, signatureOf } from './signatures.ts';
import { VerificationUnavailable } from './verification-unavailable.ts';

interface ByteVerifierOptions {
  readonly limits?: DetectorLimits;
  /** Maximum wait for a detector. */
  readonly lineMs?: number;
  /** Module of the detecting threads. */
  readonly thread?: URL;
}

const defaults = {
  limits: { startMs: 10_000, fileMs: 2_000, answerMs: 8_000 },
  lineMs: 10_000,
  thread: new URL('./detection-thread.ts', import.meta.url),
};

/** Two, so that one file that blocks a detector does not block the others. */
const detectorCount = 2;

/** Verifies uploads by detection on threads. The threads start with the first file. */
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

  async verify(
    file: EncryptedFile,
    fileName: string,
    organisationId: OrganisationId,
  ): Promise<BytesVerdict> {
    const judge = judgeOf(extensionOf(fileName));
    if (judge === null) return { status: 'verified' };
    const detector = await this.#turn(organisationId);
    try {
      return judge(await detector.detect(file));
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

/**
 * The extension that a file name claims: the text after its last dot, in lower case; empty if there
 * is none. Follows the systems that may open the file: ignores trailing dots and blanks, invisible
 * characters and full-width forms.
 */
function extensionOf(fileName: string): string {
  const shown = fileName.normalize('NFKC').replace(/\p{C}/gu, '');
  const name = shown.split(/[\\/]/).at(-1) ?? '';
  const trimmed = name.replace(/[\s.]+$/u, '');
  return trimmed
    .slice(trimmed.lastIndexOf('.') + 1 || trimmed.length)
    .trim()
    .toLowerCase();
}

/** The verdict on the bytes under this extension; null if no signature is required. */
function judgeOf(extension: string): ((found: string | null) => BytesVerdict) | null {
  const signature = signatureOf(extension);
  if (signature === null) return null;
  return (found) => {
    if (passes(signature, found)) return { status: 'verified' };
    return { status: 'mismatch', expected: extension, found };
  };
}

function passes({ accepted, required }: Signature, found: string | null): boolean {
  return found === null ? !required : accepted.has(found);
}
