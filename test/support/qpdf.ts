import { createRequire } from 'node:module';

/** A PDF as qpdf reads it: all objects, with decoded streams. Throws if qpdf finds a fault. */
export interface QpdfDocument {
  readonly objects: Readonly<Record<string, QpdfObject>>;
  readonly trailer: Readonly<Record<string, unknown>>;
  /** Object of a reference such as `12 0 R`. */
  resolve(reference: unknown): QpdfObject;
}

export interface QpdfObject {
  readonly dict: Readonly<Record<string, unknown>>;
  /** Data of a stream; null for other objects. */
  readonly data: Buffer | null;
}

interface Qpdf {
  callMain(args: readonly string[]): number;
  readonly FS: {
    writeFile(path: string, data: Uint8Array): void;
    readFile(path: string): Uint8Array;
  };
}

const require = createRequire(import.meta.url);
// The package's types do not match its exports.
const createQpdf = require('@neslinesli93/qpdf-wasm') as (
  options: Readonly<Record<string, unknown>>,
) => Promise<Qpdf>;

/** Exit code of `qpdf --check`: 0 without faults, 3 for warnings, 2 for errors. */
export async function checkWithQpdf(pdf: Uint8Array): Promise<number> {
  return (await openInQpdf(pdf)).callMain(['--check', '/in.pdf']);
}

export async function readWithQpdf(pdf: Uint8Array): Promise<QpdfDocument> {
  const qpdf = await openInQpdf(pdf);
  const options = ['--json-stream-data=inline', '--decode-level=all'];
  const exitCode = qpdf.callMain(['--json-output', ...options, '/in.pdf', '/out.json']);
  if (exitCode !== 0) throw new Error(`qpdf ended with ${exitCode}`);
  const { qpdf: parts } = JSON.parse(Buffer.from(qpdf.FS.readFile('/out.json')).toString());
  const { trailer, ...entries } = parts[1];
  const objects = Object.fromEntries(
    Object.entries(entries).map(([name, entry]) => [name.slice('obj:'.length), objectOf(entry)]),
  );
  return {
    objects,
    trailer: trailer.value,
    resolve(reference) {
      const found = objects[String(reference)];
      if (found === undefined) throw new Error(`no object ${String(reference)}`);
      return found;
    },
  };
}

/** Rewrites the PDF with qpdf, with these options of its command line. */
export async function rewriteWithQpdf(
  pdf: Uint8Array,
  options: readonly string[],
): Promise<Buffer> {
  const qpdf = await openInQpdf(pdf);
  const exitCode = qpdf.callMain([...options, '/in.pdf', '/out.pdf']);
  if (exitCode !== 0) throw new Error(`qpdf ended with ${exitCode}`);
  return Buffer.from(qpdf.FS.readFile('/out.pdf'));
}

async function openInQpdf(pdf: Uint8Array): Promise<Qpdf> {
  const qpdf = await createQpdf({
    noInitialRun: true,
    locateFile: () => require.resolve('@neslinesli93/qpdf-wasm/dist/qpdf.wasm'),
  });
  qpdf.FS.writeFile('/in.pdf', pdf);
  return qpdf;
}

/** Converts an object of qpdf's JSON, version 2. */
function objectOf(entry: unknown): QpdfObject {
  const { value, stream } = entry as {
    value?: Record<string, unknown>;
    stream?: { dict: Record<string, unknown>; data: string };
  };
  return stream === undefined
    ? { dict: value ?? {}, data: null }
    : { dict: stream.dict, data: Buffer.from(stream.data, 'base64') };
}
