import type { StructureElement } from 'pdfkit';
import type { CertificateContent } from '../../certificate-content.ts';
import { type Canvas, decorated, drawPlain, grouped, plainHeight, tagged } from '../canvas.ts';
import { colours, type } from '../look.ts';
import { area, ensureArea } from './area.ts';
import { lede, statements, statementTitle, title, type Warning, warningsOf } from './texts.ts';

const across = { x: area.left, width: area.width };

/** Draws the name of the service, the title and the statement of the certificate. */
export function drawHeading(
  canvas: Canvas,
  parent: StructureElement,
  content: CertificateContent,
): void {
  tagged(canvas, parent, 'P', () => {
    const box = { ...across, style: type.label, colour: colours.accent };
    canvas.y += drawPlain(canvas, 'PROOFMARK', box);
  });
  decorated(canvas, () => {
    canvas.document.rect(area.left, canvas.y + 2, 36, 2).fill(colours.accent);
  });
  canvas.y += 9;
  tagged(canvas, parent, 'H1', () => {
    canvas.y += drawPlain(canvas, title, { ...across, style: type.title });
  });
  canvas.y += 5;
  tagged(canvas, parent, 'P', () => {
    const box = { ...across, style: type.lede, colour: colours.muted };
    canvas.y += drawPlain(canvas, lede(content), box);
  });
  canvas.y += 12;
}

const padding = { x: 12, y: 7 } as const;
const titleWidth = 94;
const textX = area.left + padding.x + titleWidth;
const textWidth = area.right - padding.x - textX;
const between = 5;

/** Draws all warnings in one panel, one below the other. */
export function drawWarnings(
  canvas: Canvas,
  parent: StructureElement,
  content: CertificateContent,
): void {
  const warnings = warningsOf(content);
  if (warnings.length === 0) return;
  const heightOf = ({ text }: Warning) => plainHeight(text, { style: type.note, width: textWidth });
  const ofTexts = warnings.reduce((sum, warning) => sum + heightOf(warning) + between, -between);
  const height = ofTexts + 2 * padding.y;
  ensureArea(canvas, 10 + height);
  canvas.y += 10;
  const { document, y } = canvas;
  decorated(canvas, () => {
    document.rect(area.left, y, area.width, height).fill(colours.warningPanel);
    document.rect(area.left, y, 2.5, height).fill(colours.warningRule);
  });
  let top = y + padding.y;
  for (const warning of warnings) {
    const at = { document, y: top };
    const colour = colours.warning;
    tagged(canvas, parent, 'P', () => {
      const heading = { ...type.note, font: 'bold' } as const;
      const x = area.left + padding.x;
      drawPlain(at, warning.title, { x, width: titleWidth, style: heading, colour });
    });
    tagged(canvas, parent, 'P', () => {
      drawPlain(at, warning.text, { x: textX, width: textWidth, style: type.note, colour });
    });
    top += heightOf(warning) + between;
  }
  canvas.y = y + height;
}

const numberWidth = 16;
const itemGap = 3;

/** Draws the statement in plain language as a numbered list. `isSigned`: the PDF has a signature. */
export function drawStatement(
  canvas: Canvas,
  parent: StructureElement,
  content: CertificateContent,
  isSigned: boolean,
): void {
  canvas.y += 12;
  tagged(canvas, parent, 'H2', () => {
    canvas.y += drawPlain(canvas, statementTitle, { ...across, style: type.section }) + 2;
  });
  const style = type.body;
  const box = { x: area.left + numberWidth, width: area.width - numberWidth, style };
  grouped(canvas, parent, 'L', (list) => {
    statements(content, isSigned).forEach((text, index) => {
      ensureArea(canvas, plainHeight(text, box));
      grouped(canvas, list, 'LI', (item) => {
        tagged(canvas, item, 'Lbl', () => {
          drawPlain(canvas, `${index + 1}.`, { ...across, style, colour: colours.accent });
        });
        tagged(canvas, item, 'LBody', () => {
          canvas.y += drawPlain(canvas, text, box) + itemGap;
        });
      });
    });
  });
}
