/** The used part of fontkit 2.0.4, including internals. The package has no types. */
declare module 'fontkit' {
  export interface Glyph {
    readonly id: number;
    readonly codePoints: readonly number[];
    readonly advanceWidth: number;
    readonly bbox: {
      readonly minX: number;
      readonly minY: number;
      readonly maxX: number;
      readonly maxY: number;
    };
  }
  export interface GlyphPosition {
    xAdvance: number;
    yAdvance: number;
    xOffset: number;
    yOffset: number;
  }
  /** Glyphs in visual order. Positions and width in font units. */
  export interface GlyphRun {
    readonly glyphs: readonly Glyph[];
    readonly positions: readonly GlyphPosition[];
    readonly advanceWidth: number;
  }
  export interface Anchor {
    readonly xCoordinate: number;
    readonly yCoordinate: number;
  }
  /** Puts marks on letters, by the font's tables. `applyLookup` returns true if a rule applied. */
  export interface GlyphPositioning {
    applyLookup(type: number, table: unknown): boolean;
    applyAnchor(
      mark: { readonly markAnchor: Anchor | null },
      base: Anchor | null | undefined,
      baseIndex: number,
    ): void;
  }
  export interface Font {
    readonly unitsPerEm: number;
    readonly _layoutEngine: {
      readonly engine: { readonly GPOSProcessor: GlyphPositioning | null } | null;
    };
    readonly maxp: Record<
      | 'maxPoints'
      | 'maxContours'
      | 'maxCompositePoints'
      | 'maxCompositeContours'
      | 'maxComponentElements'
      | 'maxComponentDepth',
      number
    >;
    getGlyph(id: number, codePoints?: readonly number[]): Glyph;
    glyphForCodePoint(codePoint: number): Glyph;
    hasGlyphForCodePoint(codePoint: number): boolean;
    layout(
      text: string,
      features?: readonly string[],
      script?: string,
      language?: string,
      direction?: 'ltr' | 'rtl',
    ): GlyphRun;
  }
  /** A subset under construction. `encode` calls `_addGlyph` for all `glyphs`, also new ones. */
  export interface TrueTypeSubset {
    readonly glyphs: number[];
    readonly glyf: Uint8Array[];
    readonly loca: { readonly offsets: number[] };
    readonly hmtx: { readonly metrics: { advance: number; bearing: number }[] };
    offset: number;
    /** Returns the glyph's index in the subset, and adds a missing glyph. */
    includeGlyph(id: number): number;
    _addGlyph(id: number): number;
    encode(): Uint8Array;
  }
  export function create(bytes: Uint8Array): Font;
}
