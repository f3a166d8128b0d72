import type { OrganisationId } from '../../domain/ulid.ts';
import { createWorkerPool } from '../../threads/worker-pool.ts';
import type { CertificateContent } from '../certificate-content.ts';
import type { RenderOrder } from './render-worker.ts';
import { RendererUnavailable } from './renderer-unavailable.ts';

/**
 * Renders certificates on worker threads, in which organisations take turns.
 * - `render`: as `renderCertificate`. Rejects with RendererUnavailable if too many certificates of the
 *   organisation wait, if two threads died of this one, if it took too long, or after `close`. Try
 *   again later: rendering is repeatable and gives the same bytes. Any other error is a defect.
 * - `close`: ends the threads and refuses waiting certificates.
 */
export interface CertificateRenderer {
  render(
    organisationId: OrganisationId,
    content: CertificateContent,
    bundle: Uint8Array,
  ): Promise<Uint8Array>;
  close(): Promise<void>;
}

export interface RendererOptions {
  /** Started when they are needed. */
  readonly threads?: number;
  /** Maximum certificates of one organisation that wait for a thread. */
  readonly maxWaiting?: number;
  /** For one certificate. */
  readonly timeoutMs?: number;
  /**
   * Of JavaScript's heap, for each thread: a runaway dies alone, unless it asks for very much in one
   * piece (https://github.com/nodejs/node/issues/47224). What certificates say is bounded far below.
   */
  readonly memoryMb?: number;
  /** What threads run; by default what renders. */
  readonly thread?: URL;
}

const defaults = {
  ...{ threads: 1, maxWaiting: 500, timeoutMs: 20_000, memoryMb: 512 },
  thread: new URL('./render-worker.ts', import.meta.url),
};
/** What one certificate takes is garbage at once: it is collected more cheaply in few goes. */
const youngMb = 64;

export function createCertificateRenderer(options: RendererOptions = {}): CertificateRenderer {
  const { memoryMb, ...rest } = { ...defaults, ...options };
  const pool = createWorkerPool<RenderOrder, Uint8Array>({
    ...rest,
    resourceLimits: { maxOldGenerationSizeMb: memoryMb, maxYoungGenerationSizeMb: youngMb },
    unavailable: (reason, cause) => new RendererUnavailable(reason, cause),
  });
  return {
    render: (organisationId, content, bundle) => pool.run(organisationId, { content, bundle }),
    close: pool.close,
  };
}
