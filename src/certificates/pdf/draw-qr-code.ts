import { encode } from 'uqr';
import type { Canvas } from './canvas.ts';
import { colours } from './look.ts';

/** White margin of a QR code in modules (ISO/IEC 18004). */
const quietZone = 4;

/** Draws a QR code as rectangles. The square includes the quiet zone. */
export function drawQrCode(
  { document }: Canvas,
  text: string,
  square: { readonly x: number; readonly y: number; readonly width: number },
): void {
  const { data, size } = encode(text, { ecc: 'M', border: 0 });
  const module = square.width / (size + 2 * quietZone);
  data.forEach((row, y) => {
    for (const { start, length } of darkRunsOf(row)) {
      const left = square.x + (quietZone + start) * module;
      document.rect(left, square.y + (quietZone + y) * module, length * module, module);
    }
  });
  document.fill(colours.ink);
}

function darkRunsOf(row: readonly boolean[]): { start: number; length: number }[] {
  const runs: { start: number; length: number }[] = [];
  row.forEach((dark, x) => {
    const last = runs.at(-1);
    if (!dark) return;
    if (last !== undefined && last.start + last.length === x) last.length += 1;
    else runs.push({ start: x, length: 1 });
  });
  return runs;
}
