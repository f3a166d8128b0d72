import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

/** Far above the 45 kB of the lists for mainnet. */
const maxBytes = 262_144;
const timeoutMs = 15_000;

/**
 * The published list at a URL (`https:`, `http:` or `file:`) as JSON, unverified. Rejects if it
 * cannot be read in 15 s, is larger than 256 KiB, or is no JSON.
 */
export async function fetchValidatorList(url: string): Promise<unknown> {
  return JSON.parse(url.startsWith('file:') ? await fromFile(url) : await overHttp(url));
}

async function fromFile(url: string): Promise<string> {
  const bytes = await readFile(fileURLToPath(url));
  if (bytes.length > maxBytes) throw tooLarge();
  return bytes.toString('utf8');
}

async function overHttp(url: string): Promise<string> {
  const response = await fetch(url, { signal: AbortSignal.timeout(timeoutMs) });
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
