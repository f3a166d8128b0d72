import type { StructureElement, StructureOptions } from 'pdfkit';
import type { CertificateDocument } from './certificate-document.ts';
import type { Line, Run } from './line.ts';
import { colours, frame, type TextStyle } from './look.ts';
import { setPlainLines } from './set-plain-lines.ts';

/** A drawing position that moves down the pages. */
export interface Canvas {
  readonly document: CertificateDocument;
  /** Distance from the top of the current page, in points like all measures. */
  y: number;
}

/** Starts a new page, and returns true, unless `height` is left on the current page. */
export function ensureRoom(canvas: Canvas, height: number): boolean {
  if (canvas.y + height <= frame.bottom) return false;
  canvas.document.addPage();
  canvas.y = frame.top;
  return true;
}

/** Adds a tagged element to `parent`, with the content that `draw` draws. */
export function tagged(
  canvas: Canvas,
  parent: StructureElement,
  type: string,
  draw: () => void,
  options: StructureOptions = {},
): void {
  const element = canvas.document.struct(type, options);
  parent.add(element);
  element.add(draw);
  element.end();
}

/** Adds an element to `parent` that holds only elements. */
export function grouped(
  canvas: Canvas,
  parent: StructureElement,
  type: string,
  put: (group: StructureElement) => void,
): void {
  const element = canvas.document.struct(type);
  parent.add(element);
  put(element);
  element.end();
}

/** Draws decoration that screen readers skip. Not allowed inside a tagged element. */
export function decorated(canvas: Canvas, draw: () => void): void {
  canvas.document.markContent('Artifact', { type: 'Layout' });
  draw();
  canvas.document.endMarkedContent();
}

interface TextBox {
  readonly x: number;
  readonly width: number;
  readonly style: TextStyle;
  readonly colour?: string;
}

/** Draws trusted text at the canvas's position, without moving it. Returns the text's height. */
export function drawPlain(canvas: Canvas, text: string, box: TextBox): number {
  const { x, width, style, colour = colours.ink } = box;
  const keepsBlanks = canvas.document.isAccessible;
  const lines = setPlainLines(text, { ...style, width, keepsBlanks });
  drawLines(canvas, lines, { x, y: canvas.y, width, ...style, colour });
  return lines.length * style.lineHeight;
}

export function plainHeight(text: string, box: Pick<TextBox, 'style' | 'width'>): number {
  const { style, width } = box;
  return setPlainLines(text, { ...style, width }).length * style.lineHeight;
}

interface LinesBox {
  readonly x: number;
  /** Top of the first line. */
  readonly y: number;
  readonly width: number;
  readonly size: number;
  readonly lineHeight: number;
  readonly colour: string;
}

/**
 * Draws the lines one below the other, and clips untrusted lines to their space. Aligns
 * right-to-left lines with the right end of the widest line.
 */
export function drawLines(canvas: Canvas, lines: readonly Line[], box: LinesBox): void {
  const widest = Math.max(0, ...lines.map(({ width }) => width));
  lines.forEach((line, index) => {
    const y = box.y + index * box.lineHeight;
    const x = line.direction === 'rtl' ? box.x + widest - line.width : box.x;
    drawLine(canvas, line, { ...box, x, y });
  });
}

function drawLine({ document }: Canvas, line: Line, box: LinesBox): void {
  const { x, y, size, lineHeight, colour } = box;
  const baseline = y + lineHeight / 2 + size * 0.36;
  if (line.foreign) {
    const spare = size * 0.3;
    document.save();
    document.rect(x - spare, y - spare, line.width + 2 * spare, lineHeight + 2 * spare).clip();
  }
  let right = x;
  const placed = line.runs.map((run) => {
    const left = right;
    right += run.font.widthOf(run.text, run.direction) * size;
    return { run, left };
  });
  // Draw in reading order, because many PDF readers copy text in the order of drawing.
  for (const { run, left } of placed.sort((a, b) => a.run.start - b.run.start)) {
    drawRun(document, run, { x: left, y: baseline, size, colour });
  }
  if (line.foreign) document.restore();
}

function drawRun(
  document: CertificateDocument,
  { font, text, direction, escaped, actualText }: Run,
  at: { readonly x: number; readonly y: number; readonly size: number; readonly colour: string },
): void {
  const { x, y, size, colour } = at;
  document.useFont(font, size).fillColor(escaped ? colours.escape : colour);
  const features = actualText === null ? [direction] : [direction, actualText];
  document.text(text, x, y, { lineBreak: false, baseline: 'alphabetic', features });
}
