import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

/** Far above the 45 kB of the lists for mainnet. */
const maxBytes = 262_144;
const timeoutMs = 15_000;

/**
 * The published list at a URL (`https:`, `http:` or `file:`) as JSON, unverified. Rejects if it
 * cannot be read, is larger than 256 KiB, or is no JSON, and when `stopped` aborts. An answer over
 * HTTP has 15 s, and redirects are not followed.
 */
export async function fetchValidatorList(url: string, stopped: AbortSignal): Promise<unknown> {
  const text = url.startsWith('file:') ? await fromFile(url) : await overHttp(url, stopped);
  try {
    return JSON.parse(text);
  } catch {
    // The parser's own message quotes the answer.
    throw new Error('the answer is no JSON');
  }
}

async function fromFile(url: string): Promise<string> {
  const bytes = await readFile(fileURLToPath(url));
  if (bytes.length > maxBytes) throw tooLarge();
  return bytes.toString('utf8');
}

async function overHttp(url: string, stopped: AbortSignal): Promise<string> {
  const signal = AbortSignal.any([stopped, AbortSignal.timeout(timeoutMs)]);
  const response = await fetch(url, { redirect: 'error', signal });
  if (!response.ok) {
    await response.body?.cancel();
    throw new Error(`the server answered ${response.status}`);
  }
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body ?? []) {
    length += chunk.length;
    if (length > maxBytes) throw tooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function tooLarge(): Error {
  return new Error(`the list is larger than ${maxBytes} bytes`);
}
