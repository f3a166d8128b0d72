import { type Canvas, plainHeight } from '../canvas.ts';
import { frame, type TextStyle } from '../look.ts';

/**
 * Space of the text, in points. A printer with US Letter crops an A4 page at the bottom, or at top and
 * bottom, by 50 points. The text and the footer stay inside.
 */
export const area = { ...frame, top: 54, bottom: 738 } as const;
export const footerTop = 746;

/** Starts a new page unless `height` is left on the current page. */
export function ensureArea(canvas: Canvas, height: number): void {
  if (canvas.y + height <= area.bottom) return;
  startPage(canvas);
}

export function startPage(canvas: Canvas): void {
  canvas.document.addPage();
  canvas.y = area.top;
}

/** Height of trusted text across the page. */
export function heightAcross(text: string, style: TextStyle): number {
  return plainHeight(text, { style, width: area.width });
}
