import { OperatorError } from '../../src/errors/operator-error.ts';
import type { IssuedAnswer } from '../../src/verifier/check/check-issued.ts';
import { readRecordFile } from './read-evidence.ts';

const maxAnswerBytes = 256 * 1024;

/**
 * Asks the service at a URL whether its log records a PDF. `pdf` is its SHA-256, lower-case hex. The
 * answer of a service that cannot be reached is `unknown`.
 */
export async function askService(url: string, pdf: string, waitMs = 10_000): Promise<IssuedAnswer> {
  const base = url.endsWith('/') ? url : `${url}/`;
  const { host } = new URL(base);
  const unknown = (reason: string): IssuedAnswer => ({
    found: 'unknown',
    why: `${host} gave no usable answer (${reason}): try again, or use --recorded FILE`,
  });
  try {
    const address = new URL(`log/certificates/${pdf}`, base);
    const signal = AbortSignal.timeout(waitMs);
    const response = await fetch(address, { headers: { accept: 'application/json' }, signal });
    const body = parse(await readText(response));
    // Any server answers 404 at an address that it does not know, which says nothing about a PDF.
    if (response.status === 404 && body?.code === 'CERTIFICATE_NOT_FOUND') {
      return { found: 'no', by: host };
    }
    if (response.status !== 200) return unknown(`status ${response.status}`);
    return body?.data == null ? unknown('no record') : { found: 'yes', record: body.data };
  } catch (error) {
    if (error instanceof TypeError || error instanceof DOMException) return unknown(error.message);
    throw error;
  }
}

/** Reads the service's answer from a file. Throws if it is not JSON, or the answer is an error. */
export async function readRecorded(path: string): Promise<IssuedAnswer> {
  const body = parse(await readRecordFile(path, maxAnswerBytes));
  if (body === null) throw new OperatorError(`${path} is not the answer of a service (JSON)`);
  if (typeof body.code === 'string') {
    throw new OperatorError(
      `${path} has no record, but an error of the service: ${body.code.slice(0, 100)}`,
    );
  }
  return { found: 'yes', record: body.data ?? body };
}

async function readText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > maxAnswerBytes) throw new TypeError('the answer is too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function parse(text: string): { readonly code?: unknown; readonly data?: unknown } | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' ? value : null;
  } catch {
    return null;
  }
}
