import type { StructureElement } from 'pdfkit';
import type { CertificateContent } from '../../certificate-content.ts';
import { type Canvas, decorated, drawLines, drawPlain, grouped, tagged } from '../canvas.ts';
import type { Line } from '../line.ts';
import { colours, type } from '../look.ts';
import { setForeignLines } from '../set-foreign-lines.ts';
import { setPlainLines } from '../set-plain-lines.ts';
import { area, ensureArea, startPage } from './area.ts';
import { type DetailGroup, type DetailRow, detailsOf } from './details.ts';

const labelWidth = 112;
const valueX = area.left + labelWidth;
const valueWidth = area.width - labelWidth;
const rowPadding = 1.4;
/** Enough for 255 East Asian characters. */
const maxValueLines = 8;
const groupGap = 12;
const titleHeight = type.label.lineHeight + 4;

interface SetRow {
  readonly row: DetailRow;
  readonly lines: readonly Line[];
}

/** Draws a table for each group, from a new page on. A group that fits on a page is never split. */
export function drawDetails(
  canvas: Canvas,
  parent: StructureElement,
  content: CertificateContent,
): void {
  detailsOf(content).forEach((group, index) => {
    const rows = group.rows.map((row) => ({ row, lines: linesOf(row) }));
    if (index === 0) {
      startPage(canvas);
      tagged(canvas, parent, 'H2', () => {
        const style = type.section;
        canvas.y += drawPlain(canvas, 'Details', { x: area.left, width: area.width, style }) + 8;
      });
    } else {
      ensureArea(canvas, groupGap + titleHeight + heightOfAll(rows));
      if (canvas.y > area.top) canvas.y += groupGap;
    }
    drawGroup(canvas, parent, group, rows);
  });
}

function drawGroup(
  canvas: Canvas,
  parent: StructureElement,
  { title }: DetailGroup,
  rows: readonly SetRow[],
): void {
  tagged(canvas, parent, 'H3', () => {
    const box = { x: area.left, width: area.width, style: type.label, colour: colours.accent };
    canvas.y += drawPlain(canvas, title.toUpperCase(), box) + 4;
  });
  grouped(canvas, parent, 'Table', (table) => {
    for (const row of rows) {
      ensureArea(canvas, heightOf(row));
      drawRow(canvas, table, row);
    }
  });
}

function drawRow(canvas: Canvas, table: StructureElement, set: SetRow): void {
  const { row, lines } = set;
  decorated(canvas, () => {
    const { document, y } = canvas;
    document.moveTo(area.left, y).lineTo(area.right, y);
    document.lineWidth(0.5).strokeColor(colours.rule).stroke();
  });
  const y = canvas.y + rowPadding;
  const at = { ...canvas, y };
  grouped(canvas, table, 'TR', (cells) => {
    const label = { x: area.left, width: labelWidth, style: type.cell, colour: colours.muted };
    tagged(canvas, cells, 'TH', () => drawPlain(at, row.label, label), { scope: 'Row' });
    tagged(canvas, cells, 'TD', () => {
      const { size } = styleOf(row);
      const { lineHeight } = type.cell;
      const colour = row.confidential ? colours.warning : colours.ink;
      drawLines(canvas, lines, { x: valueX, y, width: valueWidth, size, lineHeight, colour });
    });
  });
  canvas.y += heightOf(set);
}

function styleOf({ kind }: DetailRow) {
  return kind === 'digits' ? type.digits : type.cell;
}

function linesOf(row: DetailRow): readonly Line[] {
  const { font, size } = styleOf(row);
  const setting = { font, size, width: valueWidth, keepsBlanks: true };
  if (row.kind !== 'foreign') return setPlainLines(row.value, setting);
  const texts = row.isMultiline
    ? row.value.split(/\r?\n/).filter((text) => text !== '')
    : [row.value];
  const lines: Line[] = [];
  let isCut = false;
  for (const text of texts) {
    const maxLines = maxValueLines - lines.length;
    isCut ||= maxLines === 0;
    if (isCut) break;
    const set = setForeignLines(text, { ...setting, maxLines, isTemplate3: true });
    lines.push(...set.lines);
    isCut = set.shortened;
  }
  return isCut ? [...lines, ...setPlainLines(row.note ?? '', setting)] : lines;
}

function heightOf({ lines }: SetRow): number {
  return lines.length * type.cell.lineHeight + 2 * rowPadding;
}

function heightOfAll(rows: readonly SetRow[]): number {
  return rows.reduce((sum, row) => sum + heightOf(row), 0);
}
