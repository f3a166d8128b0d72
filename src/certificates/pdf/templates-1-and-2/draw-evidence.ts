import type { StructureElement } from 'pdfkit';
import type { CertificateContent } from '../../certificate-content.ts';
import {
  type Canvas,
  decorated,
  drawLines,
  drawPlain,
  ensureRoom,
  grouped,
  tagged,
} from '../canvas.ts';
import type { Line } from '../line.ts';
import { colours, frame, type } from '../look.ts';
import { setForeignLines } from '../set-foreign-lines.ts';
import { setPlainLines } from '../set-plain-lines.ts';
import { type EvidenceRow, evidenceOf } from './evidence.ts';
import { wordingOf } from './wording/wording-of.ts';

const labelWidth = 106;
const valueX = frame.left + labelWidth;
const valueWidth = frame.width - labelWidth;
const rowPadding = 1.4;
/** Enough for 255 East Asian characters. Longer values are complete in the attachment. */
const maxValueLines = 8;

/** A row of the table with its value set in lines. */
interface SetRow {
  readonly row: EvidenceRow;
  readonly lines: readonly Line[];
}

/** Draws the table of all facts that a verifier needs. */
export function drawEvidence(
  canvas: Canvas,
  parent: StructureElement,
  content: CertificateContent,
): void {
  const { shortened } = wordingOf(content).evidence;
  grouped(canvas, parent, 'Table', (table) => {
    for (const { title, rows } of evidenceOf(content)) {
      const set = rows.map((row) => ({ row, lines: linesOf(row, shortened) }));
      drawGroup(canvas, table, title, set);
    }
  });
}

function drawGroup(
  canvas: Canvas,
  table: StructureElement,
  title: string,
  rows: readonly SetRow[],
): void {
  const [first] = rows;
  ensureRoom(canvas, 28 + (first === undefined ? 0 : heightOf(first.lines)));
  canvas.y += 10;
  drawTitle(canvas, table, title);
  for (const row of rows) {
    // Repeat the title on a new page.
    if (ensureRoom(canvas, heightOf(row.lines))) drawTitle(canvas, table, `${title}, continued`);
    drawRow(canvas, table, row);
  }
}

function drawTitle(canvas: Canvas, table: StructureElement, title: string): void {
  grouped(canvas, table, 'TR', (row) => {
    const box = { x: frame.left, width: frame.width, style: type.label, colour: colours.accent };
    const draw = () => {
      canvas.y += drawPlain(canvas, title.toUpperCase(), box) + 3;
    };
    tagged(canvas, row, 'TH', draw, { scope: 'Column' });
  });
}

function drawRow(canvas: Canvas, table: StructureElement, { row, lines }: SetRow): void {
  const height = heightOf(lines);
  decorated(canvas, () => drawRule(canvas));
  const y = canvas.y + rowPadding;
  const at = { ...canvas, y };
  grouped(canvas, table, 'TR', (cells) => {
    const label = { x: frame.left, width: labelWidth, style: type.cell, colour: colours.muted };
    tagged(canvas, cells, 'TH', () => drawPlain(at, row.label, label), { scope: 'Row' });
    tagged(canvas, cells, 'TD', () => {
      const { size } = styleOf(row);
      const { lineHeight } = type.cell;
      const colour = row.confidential ? colours.warning : colours.ink;
      drawLines(canvas, lines, { x: valueX, y, width: valueWidth, size, lineHeight, colour });
    });
  });
  canvas.y += height;
}

function drawRule({ document, y }: Canvas): void {
  document.moveTo(frame.left, y).lineTo(frame.right, y);
  document.lineWidth(0.5).strokeColor(colours.rule).stroke();
}

function styleOf({ kind }: EvidenceRow) {
  return kind === 'digits' ? type.digits : type.cell;
}

function linesOf(row: EvidenceRow, note: string): readonly Line[] {
  const { font, size } = styleOf(row);
  const setting = { font, size, width: valueWidth };
  if (row.kind !== 'foreign') {
    return setPlainLines(row.value, setting);
  }
  const { lines, shortened } = setForeignLines(row.value, { ...setting, maxLines: maxValueLines });
  if (!shortened) return lines;
  return [...lines, ...setPlainLines(note, setting)];
}

function heightOf(lines: readonly Line[]): number {
  return lines.length * type.cell.lineHeight + 2 * rowPadding;
}
