import bidiFactory from 'bidi-js';
import { type SetCluster, setInFonts } from './font-choice.ts';
import type { Run } from './line.ts';
import type { Direction, FontName, ShapedFont } from './shaped-font.ts';

/** A foreign text, in fonts, with the level of each cluster by the bidirectional algorithm. */
export interface Paragraph {
  readonly clusters: readonly SetCluster[];
  readonly levels: readonly number[];
  readonly direction: Direction;
}

// Its types declare an ES module; what Node loads is the factory itself.
const bidi = (bidiFactory as unknown as typeof bidiFactory.default)();

/** An escape counts as one neutral character: what is around it cannot take it apart. */
export function setParagraph(text: string, font: FontName): Paragraph {
  const clusters = setInFonts(text, font);
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

/** Rules L1 and L2 of the Unicode bidirectional algorithm, on clusters; then runs of one kind. */
export function runsOf(paragraph: Paragraph, start: number, end: number): Run[] {
  const { clusters, direction } = paragraph;
  const base = direction === 'rtl' ? 1 : 0;
  const levels = paragraph.levels.slice(start, end);
  for (let last = levels.length - 1; clusters[start + last]?.text === ' '; last -= 1) {
    levels[last] = base;
  }
  const order = visualOrder(levels);
  const runs: { font: ShapedFont; texts: string[]; level: number; escaped: boolean }[] = [];
  for (const index of order) {
    const cluster = clusters[start + index];
    const level = cluster?.escaped ? 0 : (levels[index] ?? 0);
    if (cluster === undefined) continue;
    const { font, escaped } = cluster;
    const text = level % 2 === 1 ? mirrored(cluster.text) : cluster.text;
    const run = runs.at(-1);
    if (run?.font === font && run.level === level && run.escaped === escaped) {
      if (level % 2 === 1) run.texts.unshift(text);
      else run.texts.push(text);
    } else {
      runs.push({ font, texts: [text], level, escaped });
    }
  }
  return runs.map(({ font, texts, level, escaped }) => ({
    font,
    text: texts.join(''),
    direction: level % 2 === 1 ? 'rtl' : 'ltr',
    escaped,
  }));
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

function mirrored(cluster: string): string {
  return bidi.getMirroredCharacter(cluster) ?? cluster;
}
