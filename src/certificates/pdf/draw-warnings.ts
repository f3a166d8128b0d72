import type { StructureElement } from 'pdfkit';
import type { CertificateContent } from '../certificate-content.ts';
import { type Canvas, decorated, drawPlain, ensureRoom, plainHeight, tagged } from './canvas.ts';
import { colours, frame, type } from './look.ts';
import { type Warning, warningsFor } from './warnings.ts';

const padding = 10;
const textWidth = frame.width - 2 * padding - 4;

/** One panel per warning, one below the other. */
export function drawWarnings(
  canvas: Canvas,
  parent: StructureElement,
  content: CertificateContent,
): void {
  for (const warning of warningsFor(content)) drawWarning(canvas, parent, warning);
}

function drawWarning(canvas: Canvas, parent: StructureElement, { title, text }: Warning): void {
  const { document } = canvas;
  const style = type.note;
  const words = `${title}. ${text}`;
  const height = plainHeight(words, { style, width: textWidth }) + 14;
  ensureRoom(canvas, height + 10);
  canvas.y += 10;
  const top = canvas.y;
  decorated(canvas, () => {
    document.rect(frame.left, top, frame.width, height).fill(colours.warningPanel);
    document.rect(frame.left, top, 2.5, height).fill(colours.warningRule);
  });
  tagged(canvas, parent, 'Note', () => {
    const x = frame.left + padding + 4;
    const at = { ...canvas, y: top + 7 };
    drawPlain(at, words, { x, width: textWidth, style, colour: colours.warning });
  });
  canvas.y = top + height;
}
