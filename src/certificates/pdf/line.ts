import type { Direction, ShapedFont } from './shaped-font.ts';

/** One line. Its runs are in order from left to right. */
export interface Line {
  readonly runs: readonly Run[];
  /** Direction of the paragraph. */
  readonly direction: Direction;
  /** Points. */
  readonly width: number;
  /** True for untrusted text, which could be higher than its line. */
  readonly foreign: boolean;
}

/** Text drawn at once, in one font and one direction. `text` is in logical order. */
export interface Run {
  readonly font: ShapedFont;
  readonly text: string;
  readonly direction: Direction;
  /** Index of the first cluster in the paragraph. Visual order may differ from reading order. */
  readonly start: number;
  /** True for an escape, which is not in the original. */
  readonly escaped: boolean;
  /** Text of a run that is one cluster and is copied as a whole; null for other runs. */
  readonly actualText: string | null;
}
