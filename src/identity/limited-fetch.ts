import type { CustomFetch } from 'openid-client';
import { ProviderError } from './provider-error.ts';

/** Maximum size of an answer of a provider. */
const maxBytes = 1_048_576;

/** Fetches an answer of a provider, of which it keeps at most 1 MiB in memory. */
export const limitedFetch: CustomFetch = async (url, options) => {
  const response = await fetch(url, options as RequestInit);
  const { status, headers } = response;
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw new ProviderError('invalid', 'answer_too_large');
    chunks.push(chunk);
  }
  return new Response(bytes === 0 ? null : Buffer.concat(chunks), { status, headers });
};
