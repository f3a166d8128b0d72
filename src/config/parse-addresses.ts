import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Secret } from './secret.ts';
import { Mistake, parseList, parseUrl } from './variable.ts';

export function parsePublicUrl(text: string): string {
  const form = 'a URL like https://proofs.example.com, without query and fragment';
  const url = parseUrl(text, ['http:', 'https:'], form);
  if (url.search !== '' || url.hash !== '' || url.username !== '') {
    throw new Mistake(`must be ${form}`);
  }
  // The URL is printed in every certificate.
  if (url.href.length > 200) throw new Mistake('must have at most 200 characters');
  return url.href.replace(/\/+$/, '');
}

export function parseDatabaseUrl(text: string): Secret<string> {
  const form = 'a URL like postgres://user:password@host:5432/database';
  parseUrl(text, ['postgres:', 'postgresql:'], form);
  return new Secret(text);
}

export function parseLedgerUrls(text: string): string[] {
  const form = 'ws:// or wss:// URLs, separated by commas';
  return parseList(text).map((entry) => {
    parseUrl(entry, ['ws:', 'wss:'], form);
    return entry;
  });
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

export function parseOtlpEndpoint(text: string): string {
  return parseUrl(text, ['http:', 'https:'], 'a URL like http://127.0.0.1:4318').href;
}
