import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readPdf } from './pdf-text.ts';

/** A program that extracts the text of a PDF, as people would copy it. */
export interface PdfReader {
  readonly name: string;
  textOf(pdf: Uint8Array): Promise<string>;
}

/** Firefox's reader, and poppler's `pdftotext` if it is installed (`.ci/run` installs it). */
export async function pdfReaders(): Promise<readonly PdfReader[]> {
  const firefox: PdfReader = {
    name: 'pdf.js',
    textOf: async (pdf) => (await readPdf(pdf)).pages.join('\n'),
  };
  const poppler: PdfReader = { name: 'pdftotext', textOf: pdfToText };
  const isThere = await pdfToText(Buffer.alloc(0)).then(
    () => true,
    (error) => error.code !== 'ENOENT',
  );
  return isThere ? [firefox, poppler] : [firefox];
}

async function pdfToText(pdf: Uint8Array): Promise<string> {
  const child = spawn('pdftotext', ['-', '-'], { stdio: ['pipe', 'pipe', 'pipe'] });
  const failed = once(child, 'error').then(([error]) => Promise.reject(error));
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (chunk) => {
    text += chunk;
  });
  let complaint = '';
  child.stderr.setEncoding('utf8').on('data', (chunk) => {
    complaint += chunk;
  });
  child.stdin.on('error', () => {}).end(pdf);
  const [code] = await Promise.race([once(child, 'close'), failed]);
  if (code !== 0 || complaint !== '') throw new Error(`pdftotext ended with ${code}: ${complaint}`);
  return text;
}
