import { parentPort } from 'node:worker_threads';
import type { CertificateContent } from '../certificate-content.ts';
import { renderCertificate } from './render-certificate.ts';

/** What a thread is asked, one at a time. */
export interface RenderOrder {
  readonly content: CertificateContent;
  readonly bundle: Uint8Array;
}

export type RenderAnswer = { readonly pdf: Uint8Array } | { readonly error: Error };

parentPort?.on('message', async ({ content, bundle }: RenderOrder) => {
  try {
    const pdf = await renderCertificate(content, bundle);
    parentPort?.postMessage({ pdf } satisfies RenderAnswer, [pdf.buffer as ArrayBuffer]);
  } catch (error) {
    const thrown = error instanceof Error ? error : new Error(String(error));
    parentPort?.postMessage({ error: thrown } satisfies RenderAnswer);
  }
});
