import type { FontName } from './shaped-font.ts';

/** Measures in points; y grows downwards. A4 is 595.28 by 841.89. */
export const frame = { left: 60, right: 535.28, width: 475.28, top: 50, bottom: 786 } as const;

export const colours = {
  ink: '#1B2733',
  muted: '#5C6B7A',
  faint: '#8A97A3',
  accent: '#0B5563',
  rule: '#D8DFE5',
  panel: '#F3F6F8',
  warning: '#7A4B00',
  warningPanel: '#FDF6E7',
  warningRule: '#D9A441',
  escape: '#A33B2A',
} as const;

export interface TextStyle {
  readonly font: FontName;
  readonly size: number;
  readonly lineHeight: number;
}

export const type = {
  title: { font: 'light', size: 27, lineHeight: 34 },
  section: { font: 'light', size: 19, lineHeight: 26 },
  heading: { font: 'bold', size: 10, lineHeight: 15 },
  fact: { font: 'sans', size: 14, lineHeight: 20 },
  lede: { font: 'sans', size: 10, lineHeight: 15 },
  body: { font: 'sans', size: 8.8, lineHeight: 13.2 },
  cell: { font: 'sans', size: 8.5, lineHeight: 12.4 },
  digits: { font: 'mono', size: 8, lineHeight: 12.4 },
  label: { font: 'bold', size: 7, lineHeight: 10 },
  note: { font: 'sans', size: 8, lineHeight: 11.6 },
  code: { font: 'mono', size: 6.9, lineHeight: 10.4 },
  small: { font: 'sans', size: 7, lineHeight: 10 },
} as const satisfies Readonly<Record<string, TextStyle>>;
