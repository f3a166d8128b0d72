import { bundleFormat } from './bundle.ts';
import { NoBundle } from './no-bundle.ts';

/** Decodes a bundle without its byte order mark. Throws `NoBundle` if the bytes are not UTF-8. */
export function decodeBundle(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new NoBundle(
      whyNot(new TextDecoder().decode(bytes)),
      'the text of the proof bundle is not valid UTF-8',
    );
  }
}

/** Distinguishes a bundle that was truncated or edited by hand from other texts. */
export function whyNot(text: string): 'malformedBundle' | 'noBundle' {
  return text.includes(`"${bundleFormat}"`) ? 'malformedBundle' : 'noBundle';
}
