import type { StructureElement } from 'pdfkit';
import type { CertificateContent } from '../../certificate-content.ts';
import { type Canvas, drawLines, drawPlain, ensureRoom, plainHeight, tagged } from '../canvas.ts';
import type { Line } from '../line.ts';
import { colours, frame, type } from '../look.ts';
import { setForeignLines } from '../set-foreign-lines.ts';
import { codeHeight, drawCode } from './draw-code.ts';
import { type GuidePart, type GuideStep, verificationGuide } from './verification-guide.ts';
import { wordingOf } from './wording/wording-of.ts';

const across = { x: frame.left, width: frame.width };
const stepGap = 10;
const linkIndent = 9;
const linkLabelWidth = 104;

/** Draws the verification steps and the limits of the evidence. */
export function drawGuide(
  canvas: Canvas,
  parent: StructureElement,
  content: CertificateContent,
): void {
  const colour = colours.muted;
  const { introduction, limits } = wordingOf(content).guide;
  tagged(canvas, parent, 'H2', () => {
    canvas.y += drawPlain(canvas, 'How to verify', { ...across, style: type.section }) + 2;
  });
  tagged(canvas, parent, 'P', () => {
    canvas.y += drawPlain(canvas, introduction, { ...across, style: type.body, colour });
  });
  verificationGuide(content).forEach((step, index) => {
    drawStep(canvas, parent, step, index + 1);
  });
  drawLimits(canvas, parent, limits);
}

/** Draws a step, which may continue on the next page. Its title stays with its first two parts. */
function drawStep(
  canvas: Canvas,
  parent: StructureElement,
  { title, parts }: GuideStep,
  number: number,
): void {
  const ahead = parts.slice(0, 2).reduce((sum, part) => sum + heightOf(part), 0);
  ensureRoom(canvas, stepGap + type.heading.lineHeight + ahead);
  canvas.y += stepGap;
  tagged(canvas, parent, 'H3', () => {
    const style = type.heading;
    drawPlain(canvas, `${number}`, { ...across, style, colour: colours.accent });
    const x = frame.left + 16;
    canvas.y += drawPlain(canvas, title, { x, width: frame.width - 16, style }) + 1;
  });
  for (const part of parts) {
    ensureRoom(canvas, heightOf(part));
    drawPart(canvas, parent, part);
    canvas.y += heightOf(part);
  }
}

/** Draws the limits of the evidence. */
function drawLimits(canvas: Canvas, parent: StructureElement, limits: string): void {
  const style = type.note;
  ensureRoom(canvas, 12 + plainHeight(limits, { style, width: frame.width }));
  canvas.y += 12;
  tagged(canvas, parent, 'P', () => {
    canvas.y += drawPlain(canvas, limits, { ...across, style, colour: colours.muted });
  });
}

function heightOf(part: GuidePart): number {
  if (part.kind === 'code') return codeHeight(part);
  if (part.kind === 'link') return linkHeight(part.url) + 4;
  return plainHeight(part.text, { style: type.body, width: frame.width }) + 4;
}

function drawPart(canvas: Canvas, parent: StructureElement, part: GuidePart): void {
  if (part.kind === 'code') drawCode(canvas, parent, part);
  else if (part.kind === 'link') drawLink(canvas, parent, part);
  else {
    tagged(canvas, parent, 'P', () => {
      drawPlain(canvas, part.text, { ...across, style: type.body });
    });
  }
}

/** Places a URL beside its label, or below the label if it does not fit on one line there. */
function settingOf(url: string): { readonly beside: boolean; readonly lines: readonly Line[] } {
  const beside = linesOf(url, frame.width - linkLabelWidth);
  if (beside.length === 1) return { beside: true, lines: beside };
  return { beside: false, lines: linesOf(url, frame.width - linkIndent) };
}

function linesOf(url: string, width: number): readonly Line[] {
  const { font, size } = type.small;
  return setForeignLines(url, { font, size, width, maxLines: 3 }).lines;
}

function linkHeight(url: string): number {
  const { beside, lines } = settingOf(url);
  return (lines.length + (beside ? 0 : 1)) * type.small.lineHeight;
}

function drawLink(
  canvas: Canvas,
  parent: StructureElement,
  { label, url }: Extract<GuidePart, { kind: 'link' }>,
): void {
  const { beside, lines } = settingOf(url);
  const { lineHeight } = type.small;
  const labelX = frame.left + linkIndent;
  const top = canvas.y + 2;
  const x = beside ? frame.left + linkLabelWidth : labelX;
  const y = beside ? top : top + lineHeight;
  const width = frame.right - x;
  tagged(canvas, parent, 'P', () => {
    const style = type.small;
    const colour = colours.muted;
    drawPlain({ ...canvas, y: top }, label, { x: labelX, width: linkLabelWidth, style, colour });
    drawLines(canvas, lines, { ...style, x, y, width, colour: colours.accent });
  });
  canvas.document.link(x, y, width, lines.length * lineHeight, url, { Contents: new String(url) });
}
