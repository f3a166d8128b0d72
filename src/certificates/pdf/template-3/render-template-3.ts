import type { CertificateContent } from '../../certificate-content.ts';
import { attachmentName } from '../attachment-name.ts';
import { type Canvas, drawPlain } from '../canvas.ts';
import { CertificateDocument } from '../certificate-document.ts';
import { colours, type } from '../look.ts';
import { setPlainLines } from '../set-plain-lines.ts';
import { area, footerTop } from './area.ts';
import { drawDetails } from './draw-details.ts';
import { drawGuide } from './draw-guide.ts';
import { drawKeyFacts } from './draw-key-facts.ts';
import { drawHeading, drawStatement, drawWarnings } from './draw-top.ts';
import { putSignatureField } from './put-signature-field.ts';
import { attachmentDescription, title } from './texts.ts';

/** A certificate of template 3, which is also PDF/UA-1. `roomBytes` as in `renderCertificate`. */
export async function renderTemplate3(
  content: CertificateContent,
  bundle: Uint8Array,
  roomBytes: number | null,
): Promise<Uint8Array> {
  const issuedAt = new Date(content.issuedAt);
  const { proofId } = content;
  const document = new CertificateDocument({ title, proofId, issuedAt, isAccessible: true });
  document.file(bundle, {
    name: attachmentName,
    type: 'application/json',
    description: attachmentDescription,
    relationship: 'Data',
    creationDate: issuedAt,
    modifiedDate: issuedAt,
  });
  document.addPage();
  const canvas: Canvas = { document, y: area.top };
  const root = document.struct('Document');
  document.addStructure(root);
  drawHeading(canvas, root, content);
  drawKeyFacts(canvas, root, content);
  drawWarnings(canvas, root, content);
  drawStatement(canvas, root, content, roomBytes !== null);
  drawDetails(canvas, root, content);
  drawGuide(canvas, root, content);
  if (roomBytes !== null) putSignatureField(document, root, { issuedAt, roomBytes });
  root.end();
  drawFooters(canvas, content);
  return document.bytes();
}

/** Draws the proof id, the notice of confidentiality and the page number on every page. */
function drawFooters({ document }: Canvas, content: CertificateContent): void {
  const { count } = document.bufferedPageRange();
  const confidential = content.nonce === null ? '' : ' · Confidential: contains the nonce';
  const box = { width: area.width, style: type.small, colour: colours.muted };
  for (let page = 0; page < count; page += 1) {
    document.switchToPage(page);
    document.markContent('Artifact', { type: 'Pagination' });
    document.moveTo(area.left, footerTop).lineTo(area.right, footerTop);
    document.lineWidth(0.5).strokeColor(colours.rule).stroke();
    const canvas = { document, y: footerTop + 5 };
    drawPlain(canvas, `Proof ${content.proofId}${confidential}`, { ...box, x: area.left });
    const number = `Page ${page + 1} of ${count}`;
    const [line] = setPlainLines(number, { ...type.small, width: area.width });
    drawPlain(canvas, number, { ...box, x: area.right - (line?.width ?? 0) });
    document.endMarkedContent();
  }
}
