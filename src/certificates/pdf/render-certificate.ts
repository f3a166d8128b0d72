import type { CertificateContent } from '../certificate-content.ts';
import type { Canvas } from './canvas.ts';
import { CertificateDocument } from './certificate-document.ts';
import { drawEvidence } from './draw-evidence.ts';
import { drawFooters } from './draw-footers.ts';
import { drawGuide } from './draw-guide.ts';
import { drawHeading } from './draw-heading.ts';
import { drawKeyFacts } from './draw-key-facts.ts';
import { drawWarnings } from './draw-warnings.ts';
import { frame } from './look.ts';
import { attachmentName } from './verification-guide.ts';
import { warningsOf } from './warnings.ts';

/**
 * The certificate as a tagged PDF/A-3b with the bundle (JSON) attached. The same content and bundle
 * give the same bytes, in every process: a change of any of them needs a new template version.
 * Takes some milliseconds of processor time; `CertificateRenderer` spends them on another thread.
 */
export async function renderCertificate(
  content: CertificateContent,
  bundle: Uint8Array,
): Promise<Uint8Array> {
  const { proofId } = content;
  const issuedAt = new Date(content.issuedAt);
  const document = new CertificateDocument({ proofId, issuedAt });
  document.file(bundle, {
    name: attachmentName,
    type: 'application/json',
    description:
      'The proof for programs: everything that the certificate says, and the ledger data',
    relationship: 'Data',
    creationDate: issuedAt,
    modifiedDate: issuedAt,
  });
  document.addPage();
  const canvas: Canvas = { document, y: frame.top };
  const root = document.struct('Document');
  document.addStructure(root);
  drawHeading(canvas, root, content);
  drawKeyFacts(canvas, root, content);
  drawWarnings(canvas, root, warningsOf(content));
  drawEvidence(canvas, root, content);
  startGuide(canvas);
  drawGuide(canvas, root, content);
  root.end();
  drawFooters(canvas, content);
  return document.bytes();
}

/** On a page of its own, or below the little that the first page had no room for. */
function startGuide(canvas: Canvas): void {
  const isSecondPage = canvas.document.bufferedPageRange().count > 1;
  if (isSecondPage && canvas.y < frame.top + 200) {
    canvas.y += 14;
    return;
  }
  canvas.document.addPage();
  canvas.y = frame.top;
}
