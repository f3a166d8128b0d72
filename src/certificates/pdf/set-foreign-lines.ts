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
export function setForeignLines(
  text: string,
  setting: LineSetting,
): { readonly lines: Line[]; readonly shortened: boolean } {
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
  const fits = (end: number) => widthOf(paragraph, start, end) * setting.size <= setting.width;
  if (fits(clusters.length)) return clusters.length;
  const end = Math.max(start + 1, lastThat(fits, start, clusters.length));
  for (let place = end; place > start + (end - start) / 2; place -= 1) {
    if (mayBreakBefore(clusters, place)) return place;
  }
  return end;
}

function shortened(paragraph: Paragraph, start: number, end: number, setting: LineSetting): number {
  const room = setting.width - shapedFont('sans').widthOf(ellipsis, 'ltr') * setting.size;
  const fits = (place: number) => widthOf(paragraph, start, place) * setting.size <= room;
  return fits(end) ? end : Math.max(start, lastThat(fits, start, end));
}

/** The last place between the two for which it holds, if it holds up to some place. */
function lastThat(holds: (place: number) => boolean, from: number, to: number): number {
  let [low, high] = [from, to];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (holds(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
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
