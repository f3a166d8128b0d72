import type { Line } from './line.ts';
import { type FontName, type ShapedFont, shapedFont } from './shaped-font.ts';

interface PlainSetting {
  readonly font: FontName;
  readonly size: number;
  readonly width: number;
}

/** Most texts are the same in every certificate. */
const maxRemembered = 1_000;
const remembered = new Map<string, readonly Line[]>();

/** Sets trusted text in one font, from left to right, with line breaks at blanks. */
export function setPlainLines(text: string, setting: PlainSetting): readonly Line[] {
  const key = `${setting.font} ${setting.size} ${setting.width} ${text}`;
  const before = remembered.get(key);
  if (before !== undefined) return before;
  const font = shapedFont(setting.font);
  const lines = breakWords(text, font, setting.width / setting.size).map((words) => ({
    runs: [
      { font, text: words, direction: 'ltr' as const, start: 0, escaped: false, actualText: null },
    ],
    direction: 'ltr' as const,
    width: font.widthOf(words, 'ltr') * setting.size,
    foreign: false,
  }));
  if (remembered.size >= maxRemembered) remembered.clear();
  remembered.set(key, lines);
  return lines;
}

/** `width` in points at size 1. */
function breakWords(text: string, font: ShapedFont, width: number): string[] {
  const blank = font.widthOf(' ', 'ltr');
  const lines: string[][] = [];
  let left = 0;
  for (const word of text.split(' ')) {
    const needed = font.widthOf(word, 'ltr');
    const line = lines.at(-1);
    if (line === undefined || left < blank + needed) {
      lines.push([word]);
      left = width - needed;
    } else {
      line.push(word);
      left -= blank + needed;
    }
  }
  return lines.map((words) => words.join(' '));
}
