/**
 * Types of the used parts of `@koa/multer` 4 over `multer` 2.5, which have no types of their own.
 */
declare module '@koa/multer' {
  import type { IncomingMessage } from 'node:http';
  import type { Readable, Writable } from 'node:stream';

  interface IncomingFile {
    readonly fieldname: string;
    readonly originalname: string;
    readonly mimetype: string;
  }

  interface StorageEngine<Stored> {
    _handleFile(
      req: IncomingMessage,
      file: IncomingFile & { readonly stream: Readable },
      done: (error: unknown, stored?: Stored) => void,
    ): void;
    _removeFile(req: IncomingMessage, file: Stored, done: (error: unknown) => void): void;
  }

  interface Options<Stored> {
    readonly storage: StorageEngine<Stored>;
    readonly preservePath: boolean;
    readonly defParamCharset: string;
    readonly highWaterMark: number;
    readonly fileHwm: number;
    readonly limits: Readonly<Record<string, number>>;
    readonly streamHandler: (req: IncomingMessage, parser: Writable) => void;
  }

  interface FormContext<Stored> {
    readonly req: IncomingMessage;
    readonly res: object;
    readonly request: { body?: Readonly<Record<string, unknown>> };
    files?: Readonly<Record<string, readonly (IncomingFile & Stored)[]>>;
  }

  export default function multer<Stored>(options: Options<Stored>): {
    fields(
      parts: readonly { readonly name: string; readonly maxCount: number }[],
    ): (ctx: FormContext<Stored>, next: () => unknown) => Promise<unknown>;
  };
}
