import type { StructureElement } from 'pdfkit';
import { type Canvas, drawLines } from '../canvas.ts';
import type { Line } from '../line.ts';
import { colours, type TextStyle } from '../look.ts';

interface LinkBox {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly style: TextStyle;
}

/** Draws the lines of an address as a link, tagged with its annotation. */
export function drawLink(
  canvas: Canvas,
  parent: StructureElement,
  url: string,
  lines: readonly Line[],
  { x, y, width, style }: LinkBox,
): void {
  const { document } = canvas;
  const element = document.struct('Link');
  parent.add(element);
  element.add(() => drawLines(canvas, lines, { ...style, x, y, width, colour: colours.accent }));
  const height = lines.length * style.lineHeight;
  const Contents = new String(url);
  document.link(x, y, width, height, url, { Contents, structParent: element });
  element.end();
}
