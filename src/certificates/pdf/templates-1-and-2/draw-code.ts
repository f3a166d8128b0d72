import type { StructureElement } from 'pdfkit';
import { type Canvas, decorated, drawPlain, tagged } from '../canvas.ts';
import { colours, frame, type } from '../look.ts';
import { shapedFont } from '../shaped-font.ts';
import type { GuidePart } from './verification-guide.ts';

type Code = Extract<GuidePart, { kind: 'code' }>;

const padding = { x: 9, y: 4 } as const;
const gap = 2.5;
const innerWidth = frame.width - 2 * padding.x;
const labelWidth = 95;

/** Draws code in a panel without line breaks. The label is beside the code, or above wide code. */
export function drawCode(canvas: Canvas, parent: StructureElement, code: Code): void {
  const { document, y } = canvas;
  const x = frame.left + padding.x;
  const { beside, size } = settingOf(code);
  const { lineHeight } = type.code;
  decorated(canvas, () => {
    const height = codeHeight(code) - gap;
    document.roundedRect(frame.left, y, frame.width, height, 3).fill(colours.panel);
  });
  const top = y + padding.y;
  tagged(canvas, parent, 'P', () => {
    const box = { x, width: innerWidth, style: labelStyle, colour: colours.muted };
    drawPlain({ ...canvas, y: top }, code.label, box);
  });
  const codeX = beside ? x + labelWidth : x;
  const codeTop = beside ? top : top + lineHeight;
  tagged(canvas, parent, 'Code', () => {
    code.lines.forEach((line, index) => {
      const at = { ...canvas, y: codeTop + index * lineHeight };
      const style = { ...type.code, size };
      drawPlain(at, line, { x: codeX, width: Number.POSITIVE_INFINITY, style });
    });
  });
}

const labelStyle = { ...type.code, font: 'sans' } as const;

/** Height with the gap below the panel. */
export function codeHeight(code: Code): number {
  const lines = code.lines.length + (settingOf(code).beside ? 0 : 1);
  return lines * type.code.lineHeight + 2 * padding.y + gap;
}

/** Reduces the font size of lines wider than the page: broken lines would not work when copied. */
function settingOf({ lines }: Code): { readonly beside: boolean; readonly size: number } {
  const { font, size } = type.code;
  const ems = Math.max(...lines.map((line) => shapedFont(font).widthOf(line, 'ltr')));
  return { beside: labelWidth + ems * size <= innerWidth, size: Math.min(size, innerWidth / ems) };
}
