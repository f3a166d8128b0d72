import type { Direction, ShapedFont } from './shaped-font.ts';

/** One line; its runs from left to right. */
export interface Line {
  readonly runs: readonly Run[];
  /** What it says, where glyphs from left to right do not tell that. */
  readonly actualText: string | null;
  /** Of the paragraph: it begins at that side. */
  readonly direction: Direction;
  /** Points. */
  readonly width: number;
}

/** What is drawn in one go: one font, one direction. `text` is in logical order. */
export interface Run {
  readonly font: ShapedFont;
  readonly text: string;
  readonly direction: Direction;
  /** An escape, which is no part of the original. */
  readonly escaped: boolean;
}
