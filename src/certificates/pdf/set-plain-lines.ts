import type { Line, Run } from './line.ts';
import { type FontName, type ShapedFont, shapedFont } from './shaped-font.ts';

interface PlainSetting {
  readonly font: FontName;
  readonly size: number;
  readonly width: number;
  /** True to end each line but the last with its blank, for readers of tagged text. */
  readonly keepsBlanks?: boolean;
}

/** Most texts are the same in every certificate. */
const maxRemembered = 1_000;
const remembered = new Map<string, readonly Line[]>();

/** Sets trusted text in one font, from left to right, with line breaks at blanks. */
export function setPlainLines(text: string, setting: PlainSetting): readonly Line[] {
  const { keepsBlanks = false } = setting;
  const key = `${setting.font} ${setting.size} ${setting.width} ${keepsBlanks} ${text}`;
  const before = remembered.get(key);
  if (before !== undefined) return before;
  const font = shapedFont(setting.font);
  const broken = breakWords(text, font, setting.width / setting.size);
  const lines = broken.map((words, index) => ({
    runs: [runOf(font, keepsBlanks && index < broken.length - 1 ? `${words} ` : words)],
    direction: 'ltr' as const,
    width: font.widthOf(words, 'ltr') * setting.size,
    foreign: false,
  }));
  if (remembered.size >= maxRemembered) remembered.clear();
  remembered.set(key, lines);
  return lines;
}

function runOf(font: ShapedFont, text: string): Run {
  return { font, text, direction: 'ltr', start: 0, escaped: false, actualText: null };
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
