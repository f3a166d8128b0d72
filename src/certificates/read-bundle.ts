import type { z } from 'zod';
import { type Bundle, bundle, bundleFormat } from './bundle.ts';

/** Far above any bundle: what is larger is not read. */
export const maxBundleBytes = 256 * 1024;

/** The text is no bundle of a version that is known here; the message says where it is wrong. */
export class MalformedBundle extends Error {
  constructor(why: string) {
    super(`this is no proof bundle: ${why}`);
    this.name = 'MalformedBundle';
  }
}

/**
 * Reads a bundle from text of unknown origin. Throws `MalformedBundle` unless it is exactly a bundle:
 * no member is missing, unknown, named twice or out of form. Whether it is true `checkBundle` says.
 */
export function readBundle(text: string): Bundle {
  if (Buffer.byteLength(text) > maxBundleBytes) {
    throw new MalformedBundle(`it is larger than ${maxBundleBytes} bytes`);
  }
  const value = parse(text);
  const told = value as { format?: unknown; version?: unknown } | null;
  if (told?.format !== bundleFormat) {
    throw new MalformedBundle(`its "format" is not "${bundleFormat}"`);
  }
  if (told.version !== 1 && told.version !== 2) {
    throw new MalformedBundle('only versions 1 and 2 are known here; a newer verifier may know it');
  }
  const read = bundle.safeParse(value);
  if (!read.success) throw new MalformedBundle(firstIssue(read.error));
  if (membersNamed(text) !== membersIn(read.data)) {
    throw new MalformedBundle('a member is named twice');
  }
  if (!textsIn(read.data).every((each) => each.isWellFormed())) {
    throw new MalformedBundle('a text in it is not Unicode: half of a character is missing');
  }
  return read.data;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new MalformedBundle('it is not JSON');
  }
}

/** Names of members that are not known are quoted as JSON and cut off: they may be anything. */
function firstIssue({ issues: [issue] }: z.ZodError): string {
  if (issue === undefined) return 'it is malformed';
  const where = issue.path.join('.');
  if (issue.code !== 'unrecognized_keys') return `${where}: ${issue.message}`;
  const name = JSON.stringify(issue.keys[0]?.slice(0, maxNameShown));
  return `${where === '' ? 'it' : where} has the unknown member ${name}`;
}

const maxNameShown = 40;

/** `JSON.parse` keeps the last of two members of one name, where a reader may have seen the first. */
function membersNamed(text: string): number {
  const strings = text.matchAll(/"(?:[^"\\]|\\.)*"(\s*:)?/g);
  return strings.reduce((count, [, colon]) => (colon === undefined ? count : count + 1), 0);
}

function membersIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const members = Object.values(value);
  // What is in a list has no name.
  const named = Array.isArray(value) ? 0 : members.length;
  return members.reduce<number>((count, member) => count + membersIn(member), named);
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(textsIn);
}
