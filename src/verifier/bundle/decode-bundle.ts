import { bundleFormat } from './bundle.ts';
import { NoBundle } from './no-bundle.ts';

/** The text of a bundle; a byte order mark is passed over. Throws `NoBundle` if it is not UTF-8. */
export function decodeBundle(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new NoBundle(whyNot(new TextDecoder().decode(bytes)), 'the bundle is not UTF-8 text');
  }
}

/** Tells a bundle that was cut off or edited by hand from other texts. */
export function whyNot(text: string): 'malformedBundle' | 'noBundle' {
  return text.includes(`"${bundleFormat}"`) ? 'malformedBundle' : 'noBundle';
}
