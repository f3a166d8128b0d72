import bidiFactory from 'bidi-js';
import { type SetCluster, setInFonts } from './font-choice.ts';
import type { Run } from './line.ts';
import type { Direction, FontName } from './shaped-font.ts';

/** Untrusted text in fonts, with the level of each cluster by the bidirectional algorithm. */
export interface Paragraph {
  readonly clusters: readonly SetCluster[];
  readonly levels: readonly number[];
  readonly direction: Direction;
}

// The types declare an ES module, but Node loads the factory itself.
const bidi = (bidiFactory as unknown as typeof bidiFactory.default)();

/** Treats an escape as one neutral character, so that surrounding text cannot split the escape. */
export function setParagraph(text: string, font: FontName, isTemplate3: boolean): Paragraph {
  const clusters = setInFonts(text, font, isTemplate3);
  const placed = clusters.map((cluster) => (cluster.escaped ? '\uFFFC' : cluster.text));
  const { levels, paragraphs } = bidi.getEmbeddingLevels(placed.join(''), 'auto');
  let offset = 0;
  const ofClusters = placed.map((cluster) => {
    const level = levels[offset] ?? 0;
    offset += cluster.length;
    return level;
  });
  const direction = (paragraphs[0]?.level ?? 0) % 2 === 1 ? 'rtl' : 'ltr';
  return { clusters, levels: ofClusters, direction };
}

/** Applies rules L1 and L2 of the Unicode bidirectional algorithm to clusters, and joins runs. */
export function runsOf(paragraph: Paragraph, start: number, end: number): Run[] {
  const { clusters, direction } = paragraph;
  const base = direction === 'rtl' ? 1 : 0;
  const levels = paragraph.levels.slice(start, end);
  for (let last = levels.length - 1; clusters[start + last]?.text === ' '; last -= 1) {
    levels[last] = base;
  }
  const order = visualOrder(levels);
  const runs: Run[] = [];
  for (const index of order) {
    const cluster = clusters[start + index];
    if (cluster === undefined) continue;
    const run = runOf(cluster, start + index, levels[index] ?? 0);
    const last = runs.at(-1);
    const joined = last === undefined ? null : join(last, run);
    if (joined === null) runs.push(run);
    else runs[runs.length - 1] = joined;
  }
  return runs;
}

function runOf({ font, text, escaped }: SetCluster, start: number, level: number): Run {
  const direction = level % 2 === 1 && !escaped ? 'rtl' : 'ltr';
  const drawn = direction === 'rtl' ? (bidi.getMirroredCharacter(text) ?? text) : text;
  return {
    font,
    text: drawn,
    direction,
    start,
    escaped,
    actualText: drawn !== text || isWhole(text) ? text : null,
  };
}

/** Joins neighbours; null if impossible. In a right-to-left run, `right` is read first. */
function join(left: Run, right: Run): Run | null {
  if (left.actualText !== null || right.actualText !== null || left.escaped !== right.escaped)
    return null;
  if (left.font !== right.font || left.direction !== right.direction) return null;
  const [first, second] = left.direction === 'rtl' ? [right, left] : [left, right];
  return { ...first, text: first.text + second.text };
}

/** True if signs are drawn in another order than written, or several code points as one sign. */
function isWhole(cluster: string): boolean {
  if (cluster.length === 1) return false;
  return (
    cluster.includes('\u20E3') ||
    /[\p{Script=Devanagari}\p{Extended_Pictographic}\p{Regional_Indicator}]/u.test(cluster)
  );
}

function visualOrder(levels: readonly number[]): number[] {
  const order = levels.map((_, index) => index);
  const highest = Math.max(0, ...levels);
  for (let level = highest; level > 0; level -= 1) {
    let start = 0;
    while (start < order.length) {
      let end = start;
      while (end < order.length && (levels[order[end] ?? 0] ?? 0) >= level) end += 1;
      if (end > start) order.splice(start, end - start, ...order.slice(start, end).reverse());
      start = end + 1;
    }
  }
  return order;
}
