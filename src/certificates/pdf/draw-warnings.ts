import type { StructureElement } from 'pdfkit';
import { type Canvas, decorated, drawPlain, ensureRoom, plainHeight, tagged } from './canvas.ts';
import { colours, frame, type } from './look.ts';
import type { Warning } from './warnings.ts';

const padding = { x: 12, y: 7 } as const;
const titleWidth = 94;
const textX = frame.left + padding.x + titleWidth;
const textWidth = frame.right - padding.x - textX;
const gap = 11;

/** One panel per warning, one below the other. */
export function drawWarnings(
  canvas: Canvas,
  parent: StructureElement,
  warnings: readonly Warning[],
): void {
  for (const warning of warnings) drawWarning(canvas, parent, warning);
}

function drawWarning(canvas: Canvas, parent: StructureElement, { title, text }: Warning): void {
  const { document } = canvas;
  const style = type.note;
  const height = plainHeight(text, { style, width: textWidth }) + 2 * padding.y;
  ensureRoom(canvas, gap + height);
  canvas.y += gap;
  const { y } = canvas;
  decorated(canvas, () => {
    document.rect(frame.left, y, frame.width, height).fill(colours.warningPanel);
    document.rect(frame.left, y, 2.5, height).fill(colours.warningRule);
  });
  tagged(canvas, parent, 'Note', () => {
    const at = { document, y: y + padding.y };
    const colour = colours.warning;
    const x = frame.left + padding.x;
    drawPlain(at, title, { x, width: titleWidth, style: { ...style, font: 'bold' }, colour });
    drawPlain(at, text, { x: textX, width: textWidth, style, colour });
  });
  canvas.y += height;
}
