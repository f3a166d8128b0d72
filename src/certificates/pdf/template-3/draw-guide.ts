import type { StructureElement } from 'pdfkit';
import type { CertificateContent } from '../../certificate-content.ts';
import { type Canvas, decorated, drawPlain, grouped, tagged } from '../canvas.ts';
import type { Line } from '../line.ts';
import { colours, type } from '../look.ts';
import { setForeignLines } from '../set-foreign-lines.ts';
import { shapedFont } from '../shaped-font.ts';
import { area, ensureArea, heightAcross, startPage } from './area.ts';
import { drawLink } from './draw-link.ts';
import { type GuidePart, type GuideStep, guideOf, introduction } from './guide.ts';

const across = { x: area.left, width: area.width };
const stepGap = 8;
const labelX = area.left + 9;
const labelWidth = 95;
const valueX = labelX + labelWidth;
const valueWidth = area.right - 9 - valueX;
const codePadding = 3;
const gapBelow = 2.5;
const labelStyle = { ...type.code, font: 'sans' } as const;
const linkX = labelX + 64;
const linkWidth = area.right - linkX;
const linkStyle = { ...type.small, size: 6.8 } as const;

type Code = Extract<GuidePart, { kind: 'code' }>;
type Link = Extract<GuidePart, { kind: 'link' }>;

/** Draws the ways to verify, on a new page unless half of the page is left. */
export function drawGuide(
  canvas: Canvas,
  parent: StructureElement,
  content: CertificateContent,
): void {
  if (canvas.y > (area.top + area.bottom) / 2) startPage(canvas);
  else canvas.y += 16;
  tagged(canvas, parent, 'H2', () => {
    canvas.y += drawPlain(canvas, 'How to verify', { ...across, style: type.section }) + 2;
  });
  tagged(canvas, parent, 'P', () => {
    const box = { ...across, style: type.body, colour: colours.muted };
    canvas.y += drawPlain(canvas, introduction, box);
  });
  for (const step of guideOf(content)) drawStep(canvas, parent, step);
}

/** Draws a step, on one page if it fits there. */
function drawStep(canvas: Canvas, parent: StructureElement, { title, parts }: GuideStep): void {
  const height = parts.reduce((sum, part) => sum + heightOf(part), type.heading.lineHeight + 1);
  ensureArea(canvas, stepGap + height);
  if (canvas.y > area.top) canvas.y += stepGap;
  tagged(canvas, parent, 'H3', () => {
    canvas.y += drawPlain(canvas, title, { ...across, style: type.heading }) + 1;
  });
  for (const part of parts) {
    ensureArea(canvas, heightOf(part));
    drawPart(canvas, parent, part);
    canvas.y += heightOf(part);
  }
}

function heightOf(part: GuidePart): number {
  if (part.kind === 'code') {
    const lines = part.lines.length + (settingOf(part).beside ? 0 : 1);
    return lines * type.code.lineHeight + 2 * codePadding + gapBelow;
  }
  if (part.kind === 'link') return linkLines(part).length * linkStyle.lineHeight + 5;
  return heightAcross(part.text, type.body) + 4;
}

function drawPart(canvas: Canvas, parent: StructureElement, part: GuidePart): void {
  if (part.kind === 'code') drawCode(canvas, parent, part);
  else if (part.kind === 'link') drawLinkPart(canvas, parent, part);
  else {
    tagged(canvas, parent, 'P', () => {
      drawPlain(canvas, part.text, { ...across, style: type.body });
    });
  }
}

/** Draws code in a panel without line breaks. The label is beside the code, or above wide code. */
function drawCode(canvas: Canvas, parent: StructureElement, code: Code): void {
  const { document, y } = canvas;
  const { beside, size } = settingOf(code);
  const { lineHeight } = type.code;
  decorated(canvas, () => {
    const height = heightOf(code) - gapBelow;
    document.roundedRect(area.left, y, area.width, height, 3).fill(colours.panel);
  });
  const top = y + codePadding;
  tagged(canvas, parent, 'P', () => {
    const box = { x: labelX, width: area.width, style: labelStyle, colour: colours.muted };
    drawPlain({ ...canvas, y: top }, code.label, box);
  });
  const x = beside ? valueX : labelX;
  const codeTop = beside ? top : top + lineHeight;
  code.lines.forEach((line, index) => {
    grouped(canvas, parent, 'P', (paragraph) => {
      tagged(canvas, paragraph, 'Code', () => {
        const at = { ...canvas, y: codeTop + index * lineHeight };
        const style = { ...type.code, size };
        drawPlain(at, line, { x, width: Number.POSITIVE_INFINITY, style });
      });
    });
  });
}

/** Reduces the font size of lines wider than the page: broken lines would not work when copied. */
function settingOf({ lines }: Code): { readonly beside: boolean; readonly size: number } {
  const { font, size } = type.code;
  const ems = Math.max(...lines.map((line) => shapedFont(font).widthOf(line, 'ltr')));
  const whole = area.width - 18;
  return { beside: ems * size <= valueWidth, size: Math.min(size, whole / ems) };
}

function linkLines({ url }: Link): readonly Line[] {
  const { font, size } = linkStyle;
  const setting = { font, size, width: linkWidth, maxLines: 5, isTemplate3: true };
  return setForeignLines(url, setting).lines;
}

function drawLinkPart(canvas: Canvas, parent: StructureElement, part: Link): void {
  const top = canvas.y + 2;
  const lines = linkLines(part);
  tagged(canvas, parent, 'P', () => {
    const box = { x: labelX, width: labelWidth, style: linkStyle, colour: colours.muted };
    drawPlain({ ...canvas, y: top }, part.label, box);
  });
  grouped(canvas, parent, 'P', (paragraph) => {
    const box = { x: linkX, y: top, width: linkWidth, style: linkStyle };
    drawLink(canvas, paragraph, part.url, lines, box);
  });
}
