import { hasDoubledMembers } from '../evidence/has-doubled-members.ts';
import { type Bundle, bundle, bundleFormat } from './bundle.ts';
import { whyNot } from './decode-bundle.ts';
import { NoBundle, type WhyNoBundle } from './no-bundle.ts';
import { OutOfForm, readForm } from './read-form.ts';

/**
 * Limit above the size of any bundle; larger texts are not read. The longest chain of headers takes
 * 0.8 MiB, the largest token 43 kB, all else less than 0.1 MiB.
 */
export const maxBundleBytes = 1024 * 1024;

/**
 * Reads a bundle from untrusted text. Throws `NoBundle` if a member is missing, unknown, named
 * twice or malformed. The checks decide whether the content of the bundle is true.
 */
export function readBundle(text: string): Bundle {
  if (new TextEncoder().encode(text).length > maxBundleBytes) {
    throw noBundle('noBundle', `the text is larger than ${maxBundleBytes} bytes`);
  }
  const value = parse(text);
  const stated = value as { readonly format?: unknown; readonly version?: unknown } | null;
  if (stated?.format !== bundleFormat) {
    throw noBundle('noBundle', `the member "format" is not "${bundleFormat}"`);
  }
  if (![1, 2, 3, 4, 5, 6].some((known) => stated.version === known)) {
    throw noBundle('newerBundle', 'use the newest release of the verifier');
  }
  const read = inForm(value);
  if (hasDoubledMembers(text, read)) {
    throw noBundle('malformedBundle', 'two members have the same name');
  }
  if (!textsIn(read).every((each) => each.isWellFormed())) {
    throw noBundle('malformedBundle', 'a text contains half of a Unicode character');
  }
  return read;
}

type WhyNotRead = Extract<WhyNoBundle, 'noBundle' | 'newerBundle' | 'malformedBundle'>;

const verdicts: Readonly<Record<WhyNotRead, string>> = {
  noBundle: 'this is not a proof bundle',
  newerBundle: 'this verifier knows proof bundles of versions 1 to 6 only, not this version',
  malformedBundle: 'the proof bundle is damaged or was changed',
};

function noBundle(why: WhyNotRead, reason: string): NoBundle {
  const advice =
    why === 'malformedBundle' ? '. Ask for the certificate or bundle as it was issued' : '';
  return new NoBundle(why, `${verdicts[why]}: ${reason}${advice}`);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw noBundle(whyNot(text), 'the text is not valid JSON');
  }
}

function inForm(value: unknown): Bundle {
  try {
    return readForm(bundle, value);
  } catch (error) {
    if (!(error instanceof OutOfForm)) throw error;
    throw noBundle('malformedBundle', error.message);
  }
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(textsIn);
}
