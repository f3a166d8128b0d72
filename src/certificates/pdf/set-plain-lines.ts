import type { Line } from './line.ts';
import { type FontName, shapedFont } from './shaped-font.ts';

/** A text of our own: one font, left to right, broken at blanks and, with `\n`, where it says so. */
export function setPlainLines(
  text: string,
  setting: { readonly font: FontName; readonly size: number; readonly width: number },
): Line[] {
  const font = shapedFont(setting.font);
  const line = (words: string): Line => ({
    runs: [{ font, text: words, direction: 'ltr', start: 0, escaped: false, says: null }],
    direction: 'ltr',
    width: font.widthOf(words, 'ltr') * setting.size,
  });
  return text.split('\n').flatMap((paragraph) => {
    const lines: string[] = [];
    for (const word of paragraph.split(' ')) {
      const longer = lines.length === 0 ? word : `${lines.at(-1)} ${word}`;
      const fits = font.widthOf(longer, 'ltr') * setting.size <= setting.width;
      if (fits && lines.length > 0) lines[lines.length - 1] = longer;
      else lines.push(word);
    }
    return lines.map(line);
  });
}
