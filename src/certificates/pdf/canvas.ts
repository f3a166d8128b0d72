import type { StructureElement, StructureOptions } from 'pdfkit';
import type { CertificateDocument } from './certificate-document.ts';
import type { Line, Run } from './line.ts';
import { colours, frame, type TextStyle } from './look.ts';
import { setPlainLines } from './set-plain-lines.ts';

/** A place on the pages that moves down as things are put there. */
export interface Canvas {
  readonly document: CertificateDocument;
  /** From the top of the current page, in points, as all measures. */
  y: number;
}

/** Goes to a new page unless `height` is left on this one; tells whether it did. */
export function ensureRoom(canvas: Canvas, height: number): boolean {
  if (canvas.y + height <= frame.bottom) return false;
  canvas.document.addPage();
  canvas.y = frame.top;
  return true;
}

/** Puts a tagged element under `parent`; whatever `draw` draws belongs to it. */
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

/** Puts an element under `parent` that holds elements only. */
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

/** Decoration that no reader aloud needs; not inside of a tagged element. */
export function decorated(canvas: Canvas, draw: () => void): void {
  canvas.document.markContent('Artifact', { type: 'Layout' });
  draw();
  canvas.document.endMarkedContent();
}

export interface PlainPlace {
  readonly x: number;
  readonly width: number;
  readonly style: TextStyle;
  readonly colour?: string;
}

/** Draws a text of our own at the canvas's place, which stays; tells how high it is. */
export function drawPlain(canvas: Canvas, text: string, place: PlainPlace): number {
  const { x, width, style, colour = colours.ink } = place;
  const lines = setPlainLines(text, { ...style, width });
  drawLines(canvas, lines, { x, y: canvas.y, width, ...style, colour });
  return lines.length * style.lineHeight;
}

export function plainHeight(text: string, place: Pick<PlainPlace, 'style' | 'width'>): number {
  const { style, width } = place;
  return setPlainLines(text, { ...style, width }).length * style.lineHeight;
}

export interface Place {
  readonly x: number;
  /** Top of the first line. */
  readonly y: number;
  readonly width: number;
  readonly size: number;
  readonly lineHeight: number;
  readonly colour: string;
}

/**
 * Draws the lines one below the other, foreign ones cut off where they would leave their room. A paragraph
 * from right to left is flush right within its widest line.
 */
export function drawLines(canvas: Canvas, lines: readonly Line[], place: Place): void {
  const widest = Math.max(0, ...lines.map(({ width }) => width));
  lines.forEach((line, index) => {
    const y = place.y + index * place.lineHeight;
    const x = line.direction === 'rtl' ? place.x + widest - line.width : place.x;
    drawLine(canvas, line, { ...place, x, y });
  });
}

function drawLine({ document }: Canvas, line: Line, place: Place): void {
  const { x, y, size, lineHeight, colour } = place;
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
  // In reading order, which is the order in which many readers copy it.
  for (const { run, left } of placed.sort((a, b) => a.run.start - b.run.start)) {
    drawRun(document, run, { x: left, y: baseline, size, colour });
  }
  if (line.foreign) document.restore();
}

function drawRun(
  document: CertificateDocument,
  { font, text, direction, escaped, says }: Run,
  place: { readonly x: number; readonly y: number; readonly size: number; readonly colour: string },
): void {
  const { x, y, size, colour } = place;
  document.useFont(font, size).fillColor(escaped ? colours.escape : colour);
  const features = says === null ? [direction] : [direction, says];
  document.text(text, x, y, { lineBreak: false, baseline: 'alphabetic', features });
}
