import type { StructureElement } from 'pdfkit';
import { type Canvas, decorated, drawPlain, ensureRoom, plainHeight, tagged } from '../canvas.ts';
import { colours, frame, type } from '../look.ts';
import type { Warning } from './wording/wording.ts';

const padding = { x: 12, y: 7 } as const;
const titleWidth = 94;
const textX = frame.left + padding.x + titleWidth;
const textWidth = frame.right - padding.x - textX;
const gap = 10;
const between = 5;
const style = type.note;

/** Draws all warnings in one panel, one below the other. */
export function drawWarnings(
  canvas: Canvas,
  parent: StructureElement,
  warnings: readonly Warning[],
): void {
  if (warnings.length === 0) return;
  const ofTexts = warnings.reduce((sum, warning) => sum + heightOf(warning) + between, -between);
  const height = ofTexts + 2 * padding.y;
  ensureRoom(canvas, gap + height);
  canvas.y += gap;
  const { document, y } = canvas;
  decorated(canvas, () => {
    document.rect(frame.left, y, frame.width, height).fill(colours.warningPanel);
    document.rect(frame.left, y, 2.5, height).fill(colours.warningRule);
  });
  let top = y + padding.y;
  for (const warning of warnings) {
    drawWarning({ document, y: top }, parent, warning);
    top += heightOf(warning) + between;
  }
  canvas.y = y + height;
}

function heightOf({ text }: Warning): number {
  return plainHeight(text, { style, width: textWidth });
}

function drawWarning(canvas: Canvas, parent: StructureElement, { title, text }: Warning): void {
  const colour = colours.warning;
  tagged(canvas, parent, 'Note', () => {
    const x = frame.left + padding.x;
    drawPlain(canvas, title, { x, width: titleWidth, style: { ...style, font: 'bold' }, colour });
    drawPlain(canvas, text, { x: textX, width: textWidth, style, colour });
  });
}
