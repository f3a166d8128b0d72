import type { StructureElement } from 'pdfkit';
import type { CertificateContent } from '../../certificate-content.ts';
import { type Canvas, decorated, drawPlain, tagged } from '../canvas.ts';
import { colours, frame, type } from '../look.ts';
import { wordingOf } from './wording/wording-of.ts';

/** Draws the name of the service, the title and the statement of the certificate. */
export function drawHeading(
  canvas: Canvas,
  parent: StructureElement,
  content: CertificateContent,
): void {
  const { document } = canvas;
  const wording = wordingOf(content);
  decorated(canvas, () => {
    document.rect(0, 0, document.page.width, 5).fill(colours.accent);
  });
  const across = { x: frame.left, width: frame.width };
  tagged(canvas, parent, 'P', () => {
    canvas.y += drawPlain(canvas, 'PROOFMARK', {
      ...across,
      style: type.label,
      colour: colours.accent,
    });
  });
  canvas.y += 8;
  tagged(canvas, parent, 'H1', () => {
    canvas.y += drawPlain(canvas, wording.title, { ...across, style: type.title });
  });
  canvas.y += 7;
  const lede = wording.lede(content);
  tagged(canvas, parent, 'P', () => {
    canvas.y += drawPlain(canvas, lede, { ...across, style: type.lede, colour: colours.muted });
  });
  canvas.y += 12;
}
