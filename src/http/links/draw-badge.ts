const label = 'Proofmark';

/**
 * Draws a badge as an SVG without scripts, styles or links. `words` are plain text. Without a live
 * link it is grey. It is never green: the reader has verified nothing yet.
 */
export function drawBadge(words: string, isLive: boolean): string {
  // DejaVu Sans, one of the widest fonts that browsers use here, needs 6.6 pixels a character.
  const textWidth = Math.ceil(words.length * 6.6);
  const width = 86 + textWidth + 16;
  const colour = isLive ? '#2b4c7e' : '#57605c';
  const title = `${label}: ${words}`;
  const font = 'font-family="Verdana,DejaVu Sans,Geneva,sans-serif" font-size="11"';
  const text = (x: number, length: number, value: string) =>
    `<text x="${x}" y="15" textLength="${length}" lengthAdjust="spacingAndGlyphs">${escapeXml(value)}</text>`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="22" viewBox="0 0 ${width} 22" role="img">`,
    `<title>${escapeXml(title)}</title>`,
    `<rect width="${width}" height="22" rx="4" fill="${colour}"/>`,
    `<path d="M0 4a4 4 0 0 1 4-4h82v22H4a4 4 0 0 1-4-4z" fill="#1c2321"/>`,
    `<g fill="#fff" ${font}>${text(12, 62, label)}${text(94, textWidth, words)}</g>`,
    '</svg>\n',
  ].join('');
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
