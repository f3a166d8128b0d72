import type { StructureElement } from 'pdfkit';
import type { CertificateContent } from '../../certificate-content.ts';
import {
  type Canvas,
  decorated,
  drawLines,
  drawPlain,
  grouped,
  plainHeight,
  tagged,
} from '../canvas.ts';
import { drawQrCode } from '../draw-qr-code.ts';
import type { Line } from '../line.ts';
import { colours, type } from '../look.ts';
import { readableSize, readableTime } from '../readable-values.ts';
import { setForeignLines } from '../set-foreign-lines.ts';
import { setPlainLines } from '../set-plain-lines.ts';
import { area } from './area.ts';
import { drawLink } from './draw-link.ts';
import { ledgerNote, ledgerTitle } from './texts.ts';
import { pageAddress, verifyAddress } from './verify-address.ts';

const padding = 16;
const qrWidth = 112;
const factX = area.left + padding;
const factWidth = area.width - 3 * padding - qrWidth;
const gap = 10;
/** The details have longer names. */
const maxNameLines = 3;
/** Style of the address in words. */
const addressStyle = { ...type.fact, size: 10.5, lineHeight: 15 } as const;
const verifyLabel = 'VERIFY';
const verifyNote =
  'Scan the code, or open this address, and add the file and this certificate. Both stay on your device.';

interface Fact {
  readonly label: string;
  readonly lines: readonly Line[];
  readonly note: string;
}

/** Draws a panel with file, time, ledger and the address of the verification page with its QR code. */
export function drawKeyFacts(
  canvas: Canvas,
  parent: StructureElement,
  content: CertificateContent,
): void {
  const facts = factsOf(content);
  const address = setForeignLines(pageAddress(content), {
    ...addressStyle,
    ...{ width: factWidth, maxLines: 4, isTemplate3: true },
  }).lines;
  const ofFacts = facts.reduce((sum, fact) => sum + heightOf(fact) + gap, 0);
  const ofAddress = heightOfVerify(address);
  const height = 2 * padding + ofFacts + Math.max(ofAddress, qrWidth - ofFacts);
  const top = canvas.y;
  decorated(canvas, () => {
    canvas.document.roundedRect(area.left, top, area.width, height, 6).fill(colours.panel);
  });
  canvas.y = top + padding;
  for (const fact of facts) {
    drawFact(canvas, parent, fact);
    canvas.y += gap;
  }
  drawVerify(canvas, parent, content, address);
  drawCode(canvas, parent, verifyAddress(content), top + height - padding - qrWidth);
  canvas.y = top + height;
}

function factsOf(content: CertificateContent): Fact[] {
  return [
    { label: 'FILE', lines: nameLines(content), note: sizeNote(content) },
    {
      label: 'EXISTED NO LATER THAN',
      lines: plainFact(readableTime(content.closeTimeIso)),
      note: 'Close time of the ledger. Ledger close times are rounded, usually to 10 seconds.',
    },
    { label: 'LEDGER', lines: plainFact(ledgerTitle(content)), note: ledgerNote(content) },
  ];
}

function nameLines({ fileName }: CertificateContent): readonly Line[] {
  if (fileName === null || fileName === '') return plainFact('Unnamed file');
  const { font, size } = type.fact;
  const setting = { font, size, width: factWidth, maxLines: maxNameLines, isTemplate3: true };
  return setForeignLines(fileName, setting).lines;
}

function sizeNote({ fileSizeBytes, mimeType }: CertificateContent): string {
  if (fileSizeBytes !== null) return readableSize(fileSizeBytes);
  return mimeType === null
    ? "Only the file's SHA-256 was submitted, not the file"
    : 'Size not given';
}

function plainFact(text: string): readonly Line[] {
  return setPlainLines(text, { ...type.fact, width: factWidth, keepsBlanks: true });
}

function heightOf({ lines, note }: Fact): number {
  const noteHeight = plainHeight(note, { style: type.note, width: factWidth });
  return type.label.lineHeight + 2 + lines.length * type.fact.lineHeight + noteHeight;
}

const labelBox = { x: factX, width: factWidth, style: type.label, colour: colours.accent };
const noteBox = { x: factX, width: factWidth, style: type.note, colour: colours.muted };

function drawFact(canvas: Canvas, parent: StructureElement, { label, lines, note }: Fact): void {
  tagged(canvas, parent, 'P', () => {
    canvas.y += drawPlain(canvas, label, labelBox) + 2;
  });
  tagged(canvas, parent, 'P', () => {
    const { size, lineHeight } = type.fact;
    const box = { x: factX, y: canvas.y, width: factWidth, size, lineHeight, colour: colours.ink };
    drawLines(canvas, lines, box);
    canvas.y += lines.length * lineHeight;
  });
  tagged(canvas, parent, 'P', () => {
    canvas.y += drawPlain(canvas, note, noteBox);
  });
}

function heightOfVerify(address: readonly Line[]): number {
  const ofNote = plainHeight(verifyNote, { style: type.note, width: factWidth });
  return type.label.lineHeight + 2 + address.length * addressStyle.lineHeight + ofNote;
}

function drawVerify(
  canvas: Canvas,
  parent: StructureElement,
  content: CertificateContent,
  address: readonly Line[],
): void {
  tagged(canvas, parent, 'P', () => {
    canvas.y += drawPlain(canvas, verifyLabel, labelBox) + 2;
  });
  grouped(canvas, parent, 'P', (paragraph) => {
    const box = { x: factX, y: canvas.y, width: factWidth, style: addressStyle };
    drawLink(canvas, paragraph, pageAddress(content), address, box);
  });
  canvas.y += address.length * addressStyle.lineHeight;
  tagged(canvas, parent, 'P', () => {
    canvas.y += drawPlain(canvas, verifyNote, noteBox);
  });
}

function drawCode(canvas: Canvas, parent: StructureElement, url: string, top: number): void {
  const x = area.right - padding - qrWidth;
  decorated(canvas, () => {
    canvas.document.roundedRect(x, top, qrWidth, qrWidth, 4).fill('#FFFFFF');
  });
  const { document } = canvas;
  const paragraph = document.struct('P');
  parent.add(paragraph);
  const link = document.struct('Link');
  paragraph.add(link);
  const bbox = [x, top, x + qrWidth, top + qrWidth] as const;
  const alt = `QR code of ${url}`;
  const figure = document.struct('Figure', { alt, bbox });
  link.add(figure);
  figure.add(() => drawQrCode(canvas, url, { x, y: top, width: qrWidth }));
  figure.end();
  const options = { Contents: new String(alt), structParent: link };
  document.link(x, top, qrWidth, qrWidth, url, options);
  link.end();
  paragraph.end();
}
