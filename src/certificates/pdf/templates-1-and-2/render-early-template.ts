import type { CertificateContent } from '../../certificate-content.ts';
import { attachmentName } from '../attachment-name.ts';
import { type Canvas, drawPlain } from '../canvas.ts';
import { CertificateDocument } from '../certificate-document.ts';
import { colours, frame, type } from '../look.ts';
import { setPlainLines } from '../set-plain-lines.ts';
import { drawEvidence } from './draw-evidence.ts';
import { drawGuide } from './draw-guide.ts';
import { drawHeading } from './draw-heading.ts';
import { drawKeyFacts } from './draw-key-facts.ts';
import { drawWarnings } from './draw-warnings.ts';
import type { Warning } from './wording/wording.ts';
import { wordingOf } from './wording/wording-of.ts';

/** A certificate of template 1 or 2. Its bytes never change. */
export async function renderEarlyTemplate(
  content: CertificateContent,
  bundle: Uint8Array,
): Promise<Uint8Array> {
  const { proofId } = content;
  const { title, attachmentDescription: description } = wordingOf(content);
  const issuedAt = new Date(content.issuedAt);
  const document = new CertificateDocument({ title, proofId, issuedAt });
  document.file(bundle, {
    name: attachmentName,
    type: 'application/json',
    description,
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

/** Starts the guide on a new page, or below a short remainder of the first page. */
function startGuide(canvas: Canvas): void {
  const isSecondPage = canvas.document.bufferedPageRange().count > 1;
  if (isSecondPage && canvas.y < frame.top + 200) {
    canvas.y += 14;
    return;
  }
  canvas.document.addPage();
  canvas.y = frame.top;
}

const top = 800;

/** Draws the proof id, the notice of confidentiality and the page number on every page. */
function drawFooters({ document }: Canvas, content: CertificateContent): void {
  const { count } = document.bufferedPageRange();
  const confidential = content.nonce === null ? '' : '   ·   Confidential: contains the nonce';
  for (let page = 0; page < count; page += 1) {
    document.switchToPage(page);
    document.markContent('Artifact', { type: 'Pagination' });
    document.moveTo(frame.left, top - 7).lineTo(frame.right, top - 7);
    document.lineWidth(0.5).strokeColor(colours.rule).stroke();
    const style = { style: type.small, colour: colours.muted };
    const canvas = { document, y: top };
    const whose = `Proof ${content.proofId}${confidential}`;
    drawPlain(canvas, whose, { x: frame.left, width: frame.width, ...style });
    const number = `Page ${page + 1} of ${count}`;
    const [line] = setPlainLines(number, { ...type.small, width: frame.width });
    drawPlain(canvas, number, {
      x: frame.right - (line?.width ?? 0),
      width: frame.width,
      ...style,
    });
    document.endMarkedContent();
  }
}

function warningsOf(content: CertificateContent): Warning[] {
  const { network, standalone, nonce } = content;
  const { confidential, testNetwork, development } = wordingOf(content).warnings;
  const ofLedger = standalone ? development : network === 'testnet' ? testNetwork : null;
  return [nonce === null ? null : confidential, ofLedger].filter((warning) => warning !== null);
}
