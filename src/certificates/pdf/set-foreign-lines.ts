import type { SetCluster } from './font-choice.ts';
import type { Line, Run } from './line.ts';
import { type Paragraph, runsOf, setParagraph } from './paragraph.ts';
import { type FontName, shapedFont } from './shaped-font.ts';

export interface LineSetting {
  readonly font: FontName;
  readonly size: number;
  readonly width: number;
  /** What does not fit into so many lines is left out and marked with an ellipsis. */
  readonly maxLines: number;
}

/**
 * A foreign text as a paragraph of its own: nothing in it acts on what surrounds it. Broken after
 * blanks and punctuation, and anywhere if it must.
 */
export function setForeignLines(text: string, setting: LineSetting): ForeignLines {
  const { font, size, width, maxLines } = setting;
  const key = `${font} ${size} ${width} ${maxLines} ${text}`;
  const before = remembered.get(key);
  if (before !== undefined) return before;
  const lines = breakLines(text, setting);
  if (remembered.size >= maxRemembered) remembered.clear();
  remembered.set(key, lines);
  return lines;
}

export interface ForeignLines {
  readonly lines: readonly Line[];
  readonly shortened: boolean;
}

/** Each is asked for several times by one certificate, and an organisation's name by many. */
const maxRemembered = 100;
const remembered = new Map<string, ForeignLines>();

function breakLines(text: string, setting: LineSetting): ForeignLines {
  const paragraph = setParagraph(text, setting.font);
  const lines: Line[] = [];
  let start = 0;
  while (start < paragraph.clusters.length && lines.length < setting.maxLines) {
    const end = endOfLine(paragraph, start, setting);
    const isLast = lines.length === setting.maxLines - 1 && end < paragraph.clusters.length;
    lines.push(
      setLine(paragraph, start, isLast ? shortened(paragraph, start, end, setting) : end, {
        size: setting.size,
        ellipsis: isLast,
      }),
    );
    start = end;
  }
  return { lines, shortened: start < paragraph.clusters.length };
}

/** As many clusters as fit, at least one; back to the last place where a break reads well. */
function endOfLine(paragraph: Paragraph, start: number, setting: LineSetting): number {
  const { clusters } = paragraph;
  const end = Math.max(start + 1, lastThatFits(paragraph, start, setting.width / setting.size));
  if (end === clusters.length) return end;
  for (let place = end; place > start + (end - start) / 2; place -= 1) {
    if (mayBreakBefore(clusters, place)) return place;
  }
  return end;
}

function shortened(paragraph: Paragraph, start: number, end: number, setting: LineSetting): number {
  const room = setting.width / setting.size - shapedFont('sans').widthOf(ellipsis, 'ltr');
  return Math.max(start, Math.min(end, lastThatFits(paragraph, start, room)));
}

/**
 * The last place up to which the clusters from `start` are not wider than `width`, at size 1. A guess
 * from their widths apart comes first: shaping them together is slow, and changes little.
 */
function lastThatFits(paragraph: Paragraph, start: number, width: number): number {
  const { clusters } = paragraph;
  let [place, left] = [start, width];
  while (place < clusters.length && left >= 0) {
    const cluster = clusters[place];
    left -= cluster?.font.widthOf(cluster.text, 'ltr') ?? 0;
    place += 1;
  }
  const fits = (end: number) => widthOf(paragraph, start, end) <= width;
  while (place > start && !fits(place)) place -= 1;
  while (place < clusters.length && fits(place + 1)) place += 1;
  return place;
}

function mayBreakBefore(clusters: readonly SetCluster[], place: number): boolean {
  const [before, after] = [clusters[place - 1], clusters[place]];
  if (before === undefined || after === undefined) return false;
  if (after.text === ' ') return false;
  return (
    /[\s\-_.,;)\]/&+=·、。]$/u.test(before.text) ||
    eastAsian.test(before.text) ||
    eastAsian.test(after.text)
  );
}

const eastAsian =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}]/u;

const ellipsis = '…';

function widthOf(paragraph: Paragraph, start: number, end: number): number {
  return runsOf(paragraph, start, end).reduce(
    (sum, { font, text, direction }) => sum + font.widthOf(text, direction),
    0,
  );
}

function setLine(
  paragraph: Paragraph,
  start: number,
  end: number,
  { size, ellipsis: shortens }: { readonly size: number; readonly ellipsis: boolean },
): Line {
  const { direction } = paragraph;
  const shown = runsOf(paragraph, start, end);
  const dots: Run = {
    font: shapedFont('sans'),
    text: ellipsis,
    direction: 'ltr',
    start: end,
    escaped: false,
    says: null,
  };
  const withDots = direction === 'rtl' ? [dots, ...shown] : [...shown, dots];
  const runs = shortens ? withDots : shown;
  return {
    runs,
    direction,
    width: runs.reduce((sum, run) => sum + run.font.widthOf(run.text, run.direction) * size, 0),
    foreign: true,
  };
}
