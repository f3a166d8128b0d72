import type { SetCluster } from './font-choice.ts';
import type { Line, Run } from './line.ts';
import { type Paragraph, runsOf, setParagraph } from './paragraph.ts';
import { type FontName, shapedFont } from './shaped-font.ts';

interface LineSetting {
  readonly font: FontName;
  readonly size: number;
  readonly width: number;
  /** Maximum number of lines. An ellipsis replaces the rest. */
  readonly maxLines: number;
  /** True to draw two or three blanks in a row, and full-width letters, instead of escapes. */
  readonly isTemplate3?: boolean;
}

/**
 * Sets untrusted text as a paragraph of its own, without effect on its surroundings. Breaks lines
 * after blanks and punctuation, or anywhere if necessary.
 */
export function setForeignLines(text: string, setting: LineSetting): ForeignLines {
  const { font, size, width, maxLines, isTemplate3 = false } = setting;
  const key = `${font} ${size} ${width} ${maxLines} ${isTemplate3} ${text}`;
  const before = remembered.get(key);
  if (before !== undefined) return before;
  const lines = breakLines(text, setting);
  if (remembered.size >= maxRemembered) remembered.clear();
  remembered.set(key, lines);
  return lines;
}

interface ForeignLines {
  readonly lines: readonly Line[];
  readonly shortened: boolean;
}

/** Maximum cached texts. One certificate repeats texts, and many share an organisation's name. */
const maxRemembered = 100;
const remembered = new Map<string, ForeignLines>();

function breakLines(text: string, setting: LineSetting): ForeignLines {
  const paragraph = setParagraph(text, setting.font, setting.isTemplate3 ?? false);
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

/** End of a line of at least one cluster. Prefers the last good break in its second half. */
function endOfLine(paragraph: Paragraph, start: number, setting: LineSetting): number {
  const { clusters } = paragraph;
  const end = Math.max(start + 1, lastThatFits(paragraph, start, setting.width / setting.size));
  if (end === clusters.length) return end;
  for (let at = end; at > start + (end - start) / 2; at -= 1) {
    if (mayBreakBefore(clusters, at, setting.isTemplate3 ?? false)) return at;
  }
  return end;
}

function shortened(paragraph: Paragraph, start: number, end: number, setting: LineSetting): number {
  const room = setting.width / setting.size - shapedFont('sans').widthOf(ellipsis, 'ltr');
  return Math.max(start, Math.min(end, lastThatFits(paragraph, start, room)));
}

/**
 * The last position up to which the clusters from `start` fit into `width`, at size 1. Starts with
 * an estimate from the width of each cluster alone, because shaping them together is slow.
 */
function lastThatFits(paragraph: Paragraph, start: number, width: number): number {
  const { clusters } = paragraph;
  let [at, left] = [start, width];
  while (at < clusters.length && left >= 0) {
    const cluster = clusters[at];
    left -= cluster?.font.widthOf(cluster.text, 'ltr') ?? 0;
    at += 1;
  }
  const fits = (end: number) => widthOf(paragraph, start, end) <= width;
  while (at > start && !fits(at)) at -= 1;
  while (at < clusters.length && fits(at + 1)) at += 1;
  return at;
}

function mayBreakBefore(
  clusters: readonly SetCluster[],
  at: number,
  isTemplate3: boolean,
): boolean {
  const [before, after] = [clusters[at - 1], clusters[at]];
  if (before === undefined || after === undefined) return false;
  if (after.text === ' ') return false;
  if (isTemplate3 && (neverFirst.test(after.text) || neverLast.test(before.text))) return false;
  return (
    /[\s\-_.,;)\]/&+=·、。]$/u.test(before.text) ||
    eastAsian.test(before.text) ||
    eastAsian.test(after.text)
  );
}

const eastAsian =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}]/u;

/** Closing marks, and signs that belong to the letter before them, never start a line. */
const neverFirst =
  /^[\p{Pe}\p{Pf}、。，．・：；！？ー々ゝゞヽヾぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮヵヶ]/u;
/** Opening marks never end a line. */
const neverLast = /[\p{Ps}\p{Pi}]$/u;

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
    actualText: null,
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
