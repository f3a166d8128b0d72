/** Types for the part of pngjs that the tests use; the package has none. */
declare module 'pngjs' {
  export class PNG {
    constructor(options: { readonly width: number; readonly height: number });
    readonly width: number;
    readonly height: number;
    /** Pixels as RGBA. */
    data: Buffer;
    static readonly sync: {
      read(png: Uint8Array): PNG;
      write(png: PNG, options: Readonly<Record<string, unknown>>): Buffer;
    };
  }
}
