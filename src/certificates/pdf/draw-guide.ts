import type { StructureElement } from 'pdfkit';
import type { CertificateContent } from '../certificate-content.ts';
import { type Canvas, drawLines, drawPlain, ensureRoom, plainHeight, tagged } from './canvas.ts';
import { codeHeight, drawCode } from './draw-code.ts';
import type { Line } from './line.ts';
import { colours, frame, type } from './look.ts';
import { setForeignLines } from './set-foreign-lines.ts';
import { type GuidePart, type GuideStep, verificationGuide } from './verification-guide.ts';

const across = { x: frame.left, width: frame.width };
const stepGap = 11;
const linkLabelWidth = 104;
const linkWidth = frame.width - linkLabelWidth;

/** How to verify, step by step. */
export function drawGuide(
  canvas: Canvas,
  parent: StructureElement,
  content: CertificateContent,
): void {
  const colour = colours.muted;
  tagged(canvas, parent, 'H2', () => {
    canvas.y += drawPlain(canvas, 'How to verify', { ...across, style: type.section }) + 2;
  });
  tagged(canvas, parent, 'P', () => {
    canvas.y += drawPlain(canvas, introduction, { ...across, style: type.body, colour });
  });
  verificationGuide(content).forEach((step, index) => {
    drawStep(canvas, parent, step, index + 1);
  });
  drawLimits(canvas, parent);
}

const introduction =
  'You need your copy of the file and this certificate. Only the public endpoint depends on the service.';

/** A step may run on to the next page, but its title never stands alone. */
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

/** What nobody should read into a certificate. */
function drawLimits(canvas: Canvas, parent: StructureElement): void {
  const style = type.note;
  ensureRoom(canvas, 12 + plainHeight(limits, { style, width: frame.width }));
  canvas.y += 12;
  tagged(canvas, parent, 'P', () => {
    canvas.y += drawPlain(canvas, limits, { ...across, style, colour: colours.muted });
  });
}

const limits =
  'What this does not show: who made the file, since when it existed, or that what it says is true. Whether the anchoring account belongs to the issuer is for the issuer to confirm.';

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

function linkHeight(url: string): number {
  return linesOf(url).length * type.small.lineHeight;
}

function linesOf(url: string): readonly Line[] {
  const { font, size } = type.small;
  return setForeignLines(url, { font, size, width: linkWidth, maxLines: 3 }).lines;
}

function drawLink(
  canvas: Canvas,
  parent: StructureElement,
  { label, url }: Extract<GuidePart, { kind: 'link' }>,
): void {
  const at = { ...canvas, y: canvas.y + 3 };
  const x = frame.left + linkLabelWidth;
  tagged(canvas, parent, 'P', () => {
    drawPlain(at, label, {
      x: frame.left + 9,
      width: linkLabelWidth,
      style: type.small,
      colour: colours.muted,
    });
    const place = { ...type.small, x, y: at.y, width: linkWidth, colour: colours.accent };
    drawLines(canvas, linesOf(url), place);
  });
  canvas.document.link(x, at.y, linkWidth, linkHeight(url), url, { Contents: new String(url) });
}
