/**
 * The used part of pdfkit 0.20.2, including internals (ref, _font), which reproducible bytes need.
 * Review these internals with each new version.
 */
declare module 'pdfkit' {
  import type { Font, GlyphPosition, TrueTypeSubset } from 'fontkit';

  export interface EmbeddedFont {
    readonly subset: TrueTypeSubset;
    readonly scale: number;
    /** By index in the subset: widths in thousandths of the font size, code points of glyphs. */
    readonly widths: number[];
    readonly unicode: (readonly number[])[];
    widthOfString(text: string, size: number, features?: readonly string[]): number;
    /** Adds the glyphs of the text to the subset. Returns indexes in the subset, and positions. */
    encode(text: string, features?: readonly string[]): [string[], readonly GlyphPosition[]];
  }
  export interface Reference {
    readonly data: Record<string, unknown>;
    buffer: Uint8Array[] | Uint8Array;
    write(chunk: Uint8Array | string): void;
    finalize(): void;
    end(): void;
  }
  export interface StructureElement {
    add(child: StructureElement | (() => void)): StructureElement;
    end(): void;
  }
  export interface StructureOptions {
    readonly alt?: string;
    readonly lang?: string;
    readonly title?: string;
    readonly scope?: 'Row' | 'Column' | 'Both';
    readonly bbox?: readonly [number, number, number, number];
  }

  export default class PDFDocument {
    constructor(options: Readonly<Record<string, unknown>>);
    readonly page: {
      readonly width: number;
      readonly height: number;
      readonly dictionary: Reference;
      readonly annotations: readonly Reference[];
    };
    readonly _root: Reference;
    readonly _font: EmbeddedFont;
    on(event: 'end', listener: () => void): this;
    on(event: 'error', listener: (error: Error) => void): this;
    ref(data?: Record<string, unknown>): Reference;
    addPage(): this;
    switchToPage(page: number): unknown;
    bufferedPageRange(): { readonly start: number; readonly count: number };
    end(): void;
    resume(): this;
    _offset: number;
    _write(data: Uint8Array | string): void;

    /** `family` is the name of the font in the document. */
    font(source: Font | string, family?: string): this;
    fontSize(size: number): this;
    fillColor(colour: string): this;
    text(text: string, x: number, y: number, options: Readonly<Record<string, unknown>>): this;

    save(): this;
    restore(): this;
    rect(x: number, y: number, width: number, height: number): this;
    roundedRect(x: number, y: number, width: number, height: number, radius: number): this;
    clip(): this;
    fill(colour: string): this;
    moveTo(x: number, y: number): this;
    lineTo(x: number, y: number): this;
    lineWidth(width: number): this;
    strokeColor(colour: string): this;
    stroke(): this;
    annotate(
      x: number,
      y: number,
      width: number,
      height: number,
      options: Readonly<Record<string, unknown>>,
    ): this;
    link(
      x: number,
      y: number,
      width: number,
      height: number,
      url: string,
      options?: Readonly<Record<string, unknown>>,
    ): this;

    struct(type: string, options?: StructureOptions): StructureElement;
    addStructure(element: StructureElement): this;
    markContent(tag: string, options?: Readonly<Record<string, unknown>>): this;
    endMarkedContent(): this;
    endAcroForm(): this;
    appendXML(xml: string): void;
    file(bytes: Uint8Array, options: Readonly<Record<string, unknown>>): unknown;
  }
}
