import type { Answer } from '../calls/api.ts';
import { ProofmarkError } from '../errors.ts';

/** The bytes of a certificate. Throws UNEXPECTED_ANSWER if a page or nothing was answered instead. */
export function certificateOf({ body, status }: Answer<ArrayBuffer | undefined>): Uint8Array {
  const bytes = new Uint8Array(body ?? new ArrayBuffer(0));
  if (new TextDecoder('latin1').decode(bytes.subarray(0, 5)) === '%PDF-') return bytes;
  throw new ProofmarkError('UNEXPECTED_ANSWER', 'the answer is no certificate', { status });
}

/** The text of a bundle. Throws UNEXPECTED_ANSWER if a page or nothing was answered instead. */
export function bundleOf({ body, status }: Answer<string | undefined>): string {
  if (body !== undefined && isObject(body)) return body;
  throw new ProofmarkError('UNEXPECTED_ANSWER', 'the answer is no bundle', { status });
}

function isObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}
