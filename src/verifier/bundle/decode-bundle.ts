import { bundleFormat } from './bundle.ts';
import { NoBundle } from './no-bundle.ts';

/** Decodes a bundle without its byte order mark. Throws `NoBundle` if the bytes are not UTF-8. */
export function decodeBundle(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new NoBundle(whyNot(new TextDecoder().decode(bytes)), 'the bundle is not UTF-8 text');
  }
}

/** Distinguishes a bundle that was truncated or edited by hand from other texts. */
export function whyNot(text: string): 'malformedBundle' | 'noBundle' {
  return text.includes(`"${bundleFormat}"`) ? 'malformedBundle' : 'noBundle';
}
