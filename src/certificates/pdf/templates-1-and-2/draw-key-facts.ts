import type { StructureElement } from 'pdfkit';
import type { CertificateContent } from '../../certificate-content.ts';
import { type Canvas, decorated, drawLines, drawPlain, plainHeight, tagged } from '../canvas.ts';
import { drawQrCode } from '../draw-qr-code.ts';
import type { Line } from '../line.ts';
import { colours, frame, type } from '../look.ts';
import { readableSize, readableTime } from '../readable-values.ts';
import { setForeignLines } from '../set-foreign-lines.ts';
import { setPlainLines } from '../set-plain-lines.ts';
import { networkTitle } from './evidence.ts';
import type { Wording } from './wording/wording.ts';
import { wordingOf } from './wording/wording-of.ts';

const padding = 16;
const qrWidth = 108;
const factWidth = frame.width - 3 * padding - qrWidth;
/** The table of evidence shows longer names. */
const maxNameLines = 3;

interface Fact {
  readonly label: string;
  readonly lines: readonly Line[];
  readonly note: string;
}

/** Draws a panel with file, time and ledger, and with the QR code of the verification page. */
export function drawKeyFacts(
  canvas: Canvas,
  parent: StructureElement,
  content: CertificateContent,
): void {
  const facts = factsOf(content);
  const gap = 11;
  const heights = facts.map(heightOf);
  const ofFacts = heights.reduce((sum, height) => sum + height + gap, -gap);
  const height = 2 * padding + Math.max(ofFacts, qrWidth + 22);
  const top = canvas.y;
  decorated(canvas, () => {
    canvas.document.roundedRect(frame.left, top, frame.width, height, 6).fill(colours.panel);
  });
  canvas.y = top + padding;
  for (const fact of facts) {
    drawFact(canvas, parent, fact);
    canvas.y += gap;
  }
  drawCode(canvas, parent, content.verifyPageUrl ?? content.verifyUrl, top + padding);
  canvas.y = top + height;
}

function factsOf(content: CertificateContent): Fact[] {
  const { facts } = wordingOf(content);
  const { labels } = facts;
  const ledger = facts.ledger(content, networkTitle(content));
  return [
    { label: labels.file, lines: nameLines(content, facts), note: description(content, facts) },
    {
      label: labels.time,
      lines: plainFact(readableTime(content.closeTimeIso)),
      note: 'Close time of the ledger. Ledger close times are rounded, usually to 10 seconds.',
    },
    { label: labels.ledger, lines: plainFact(ledger.fact), note: ledger.note },
  ];
}

function nameLines({ fileName }: CertificateContent, facts: Wording['facts']): readonly Line[] {
  if (fileName === null || fileName === '') return plainFact(facts.unnamedFile);
  const { font, size } = type.fact;
  return setForeignLines(fileName, { font, size, width: factWidth, maxLines: maxNameLines }).lines;
}

function description(
  { fileSizeBytes, mimeType }: CertificateContent,
  { hashAlone }: Wording['facts'],
): string {
  if (fileSizeBytes !== null) return readableSize(fileSizeBytes);
  return mimeType === null ? hashAlone : 'Size not given';
}

function plainFact(text: string): readonly Line[] {
  return setPlainLines(text, { ...type.fact, width: factWidth });
}

function heightOf({ lines, note }: Fact): number {
  const noteHeight = plainHeight(note, { style: type.note, width: factWidth });
  return type.label.lineHeight + 2 + lines.length * type.fact.lineHeight + noteHeight;
}

function drawFact(canvas: Canvas, parent: StructureElement, { label, lines, note }: Fact): void {
  const x = frame.left + padding;
  tagged(canvas, parent, 'P', () => {
    const style = type.label;
    canvas.y +=
      drawPlain(canvas, label, { x, width: factWidth, style, colour: colours.accent }) + 2;
    const { size, lineHeight } = type.fact;
    drawLines(canvas, lines, {
      x,
      y: canvas.y,
      width: factWidth,
      size,
      lineHeight,
      colour: colours.ink,
    });
    canvas.y += lines.length * lineHeight;
    canvas.y += drawPlain(canvas, note, {
      x,
      width: factWidth,
      style: type.note,
      colour: colours.muted,
    });
  });
}

function drawCode(canvas: Canvas, parent: StructureElement, url: string, top: number): void {
  const x = frame.right - padding - qrWidth;
  decorated(canvas, () => {
    canvas.document.roundedRect(x, top, qrWidth, qrWidth, 4).fill('#FFFFFF');
  });
  const bbox = [x, top, x + qrWidth, top + qrWidth] as const;
  const alt = `QR code of ${url}`;
  tagged(canvas, parent, 'Figure', () => drawQrCode(canvas, url, { x, y: top, width: qrWidth }), {
    alt,
    bbox,
  });
  const caption = 'Scan to verify online';
  const { font, size } = type.note;
  const [line] = setPlainLines(caption, { font, size, width: qrWidth });
  const indent = (qrWidth - (line?.width ?? 0)) / 2;
  tagged(canvas, parent, 'Caption', () => {
    const at = { ...canvas, y: top + qrWidth + 7 };
    drawPlain(at, caption, {
      x: x + indent,
      width: qrWidth,
      style: type.note,
      colour: colours.muted,
    });
  });
  canvas.document.link(x, top, qrWidth, qrWidth + 20, url, { Contents: new String(alt) });
}
