import type { Direction, ShapedFont } from './shaped-font.ts';

/** One line; its runs from left to right. */
export interface Line {
  readonly runs: readonly Run[];
  /** Of the paragraph: its lines begin at that side. */
  readonly direction: Direction;
  /** Points. */
  readonly width: number;
  /** May hold anything, and could be higher than its room. */
  readonly foreign: boolean;
}

/** What is drawn in one go: one font, one direction. `text` is in logical order. */
export interface Run {
  readonly font: ShapedFont;
  readonly text: string;
  readonly direction: Direction;
  /** Where it begins in its text: reading order is not the order on the line. */
  readonly start: number;
  /** An escape, which is no part of the original. */
  readonly escaped: boolean;
  /** What its glyphs say together, where it is not what each of them says; one cluster then. */
  readonly says: string | null;
}
