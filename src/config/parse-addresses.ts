import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseDatabaseHosts } from '../event-store/database-hosts.ts';
import { Secret } from './secret.ts';
import { Mistake, parseList, parseUrl } from './variable.ts';

export function parsePublicUrl(text: string): string {
  const form = 'a URL like https://proofs.example.com, without query and fragment';
  const url = parseUrl(text, ['http:', 'https:'], form);
  if (url.username + url.password !== '') {
    throw new Mistake(
      `must have no user and no password, since certificates contain it: use ${form}`,
    );
  }
  if (url.search !== '' || url.hash !== '') {
    throw new Mistake(`must be ${form}`);
  }
  // The URL is printed in every certificate.
  if (url.href.length > 200) throw new Mistake('must have at most 200 characters');
  return url.href.replace(/\/+$/, '');
}

export function parseDatabaseUrl(text: string): Secret<string> {
  if (parseDatabaseHosts(text) === null) {
    const hasAttribute = text.includes('target_session_attrs');
    const values = hasAttribute ? ', where target_session_attrs is read-write, primary or any' : '';
    throw new Mistake(`must be a URL like postgres://user:password@host:5432/database${values}`);
  }
  return new Secret(text);
}

export function parseLedgerUrls(text: string): string[] {
  const form = 'ws:// or wss:// URLs, separated by commas';
  return parseList(text).map((entry) => {
    parseUrl(entry, ['ws:', 'wss:'], form);
    return entry;
  });
}

/** `none`: the network's validators are not heard. */
export function parseValidatorLists(text: string): ParsedValidatorList[] {
  if (text === 'none') return [];
  const form = 'https://, http:// or file:// URLs, each with = and the key of its publisher';
  return parseList(text).map((entry) => {
    const at = entry.lastIndexOf('=');
    const [address, key] = [entry.slice(0, at), entry.slice(at + 1).toUpperCase()];
    const url = parseUrl(address, ['https:', 'http:', 'file:'], form);
    if (url.protocol === 'file:' && url.host !== '') throw new Mistake(`must be ${form}`);
    if (/^(?:ED|02|03)[0-9A-F]{64}$/.test(key)) return { url: url.href, publisherKey: key };
    throw new Mistake(`must be ${form}: a key has 66 hexadecimal characters`);
  });
}

/** Address of a published list of validators, and its publisher's master key, upper-case hex. */
export interface ParsedValidatorList {
  readonly url: string;
  readonly publisherKey: string;
}

export function parseStorageUrl(text: string): string {
  const form = 'file:/folder or s3://bucket/prefix?endpoint=…&region=…';
  const url = parseUrl(text, ['file:', 's3:'], form);
  if (url.protocol === 's3:' && url.hostname === '') throw new Mistake(`must be ${form}`);
  if (url.protocol === 'file:' && !text.startsWith('file://')) {
    return pathToFileURL(resolve(decodeURI(text.slice('file:'.length)))).href;
  }
  if (url.password === '') return text;
  throw new Mistake('must not hold credentials: they are taken from AWS_ACCESS_KEY_ID and so on');
}

/** May hold the user and password of a customer of the authority. */
export function parseAuthorityUrl(text: string): Secret<string> {
  const form = 'a URL like https://tsa.example.com';
  const { href, username, password } = parseUrl(text, ['https:', 'http:'], form);
  if (!isDecodable(username + password)) {
    throw new Mistake(`must be ${form}, with % as %25 in user and password`);
  }
  return new Secret(href);
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

export function parseOtlpEndpoint(text: string): string {
  return parseUrl(text, ['http:', 'https:'], 'a URL like http://127.0.0.1:4318').href;
}
