import type { AttestationChoice } from '../../domain/proof/certificate-inputs.ts';
import type { OrganisationId } from '../../domain/ulid.ts';
import { Unavailable } from '../../errors/unavailable.ts';
import { createWorkerPool } from '../../threads/worker-pool.ts';
import type { CertificateContent } from '../certificate-content.ts';
import type { AttestedTransaction } from '../choose-attestation.ts';
import type { RenderOrder } from './render-worker.ts';

/**
 * Makes the costly parts of certificates on worker threads. Organisations take turns.
 * - `choose`: like `chooseAttestation`, with the errors of `render`.
 * - `render`: like `renderCertificate`. Rejects with `RendererUnavailable` if too many certificates
 *   of the organisation wait, on a timeout, after `close`, or if two threads died of this
 *   certificate. Retry later: rendering gives the same bytes again. Any other error is a defect.
 * - `close`: ends the threads and refuses waiting certificates.
 */
export interface CertificateRenderer {
  choose(
    organisationId: OrganisationId,
    transaction: AttestedTransaction,
  ): Promise<AttestationChoice | null>;
  render(
    organisationId: OrganisationId,
    content: CertificateContent,
    bundle: Uint8Array,
    roomBytes?: number | null,
  ): Promise<Uint8Array>;
  close(): Promise<void>;
}

export interface RendererOptions {
  /** Maximum threads, each started on demand. */
  readonly threads?: number;
  /** Maximum certificates of one organisation that wait for a thread. */
  readonly maxWaiting?: number;
  /** Limit for one certificate. */
  readonly timeoutMs?: number;
  /**
   * JavaScript heap of each thread. A thread that exceeds this limit dies alone, except by one very
   * large allocation (https://github.com/nodejs/node/issues/47224). Certificates need far less.
   */
  readonly memoryMb?: number;
  /** Script of the threads; by default the renderer. */
  readonly thread?: URL;
}

const defaults = {
  ...{ threads: 1, maxWaiting: 500, timeoutMs: 20_000, memoryMb: 512 },
  thread: new URL('./render-worker.ts', import.meta.url),
};
/** Objects of a certificate are short-lived: few large garbage collections cost less. */
const youngMb = 64;

export function createCertificateRenderer(options: RendererOptions = {}): CertificateRenderer {
  const { memoryMb, ...rest } = { ...defaults, ...options };
  const pool = createWorkerPool<RenderOrder, Uint8Array | AttestationChoice | null>({
    ...rest,
    resourceLimits: { maxOldGenerationSizeMb: memoryMb, maxYoungGenerationSizeMb: youngMb },
    unavailable: (reason, cause) => new RendererUnavailable(reason, cause),
  });
  return {
    // The casts are safe: the kind of order decides on the kind of answer.
    choose: async (organisationId, transaction) =>
      (await pool.run(organisationId, { transaction })) as AttestationChoice | null,
    render: async (organisationId, content, bundle, roomBytes = null) =>
      (await pool.run(organisationId, { content, bundle, roomBytes })) as Uint8Array,
    close: pool.close,
  };
}

/** The certificate could not be rendered now. A retry may succeed. */
export class RendererUnavailable extends Unavailable {
  constructor(message: string, options?: ErrorOptions) {
    super('SERVICE_UNAVAILABLE', callerMessage, message, options);
  }
}

const callerMessage = 'the certificate could not be made now; try again shortly';
