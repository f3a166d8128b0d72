import type { CertificateContent } from '../certificate-content.ts';
import { renderTemplate3 } from './template-3/render-template-3.ts';
import { renderEarlyTemplate } from './templates-1-and-2/render-early-template.ts';

/**
 * The certificate as a tagged PDF/A-3b with the bundle (JSON) attached. The same content and bundle
 * give the same bytes, in every process: any change of the bytes needs a new template version.
 * Takes some milliseconds of processor time, so `CertificateRenderer` uses another thread.
 *
 * @param roomBytes room for a digital signature, which `placeSignature` fills; null: none. Ignored
 * for templates 1 and 2.
 */
export async function renderCertificate(
  content: CertificateContent,
  bundle: Uint8Array,
  roomBytes: number | null = null,
): Promise<Uint8Array> {
  return content.templateVersion === 3
    ? renderTemplate3(content, bundle, roomBytes)
    : renderEarlyTemplate(content, bundle);
}
