import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, extname } from 'node:path';
import { type CodedBytes, codedBytes } from '../headers/content-coding.ts';
import { findBrowserModules } from './browser-modules.ts';
import { fillTexts, type Texts } from './fill-texts.ts';

/** A file for browsers. Its bytes do not change while the process lives. */
export interface PageFile extends CodedBytes {
  readonly contentType: string;
}

export interface PageFiles {
  /** A page with addresses relative to the root (0), or to one level below it (1). */
  page(name: 'home' | 'verify' | 'reference', depth: 0 | 1): PageFile;
  /** File that pages load, by its path below `/pages/`; null if there is no such file. */
  asset(path: string): PageFile | null;
}

const folder = new URL('../../pages/', import.meta.url);

/** Package files for the reference, read on first use since they are large. */
const libraries = ['swagger-ui-bundle.js', 'swagger-ui.css'];

/**
 * Reads the files for browsers, and their modules on first use. No other file of the disk can be
 * requested.
 */
export function readPageFiles(language = 'en'): PageFiles {
  const texts = JSON.parse(read(`texts/${language}.json`).toString()) as Texts;
  const assets = new Map<string, PageFile>();
  for (const name of readdirSync(folder)) {
    if (extname(name) === '.css') assets.set(name, pageFile(name, read(name)));
  }
  const pages = new Map<string, PageFile>();
  for (const name of ['home', 'verify', 'reference']) {
    const html = fillTexts(read(`${name}.html`).toString(), texts, language);
    pages.set(`${name} 0`, pageFile('0.html', Buffer.from(html)));
    pages.set(`${name} 1`, pageFile('1.html', Buffer.from(oneLevelDown(html))));
  }
  return {
    page(name, depth) {
      const page = pages.get(`${name} ${depth}`);
      if (page === undefined) throw new Error(`there is no page ${name}`);
      return page;
    },
    asset(path) {
      const [folder, name = ''] = path.split('/');
      if (folder === 'swagger-ui' && libraries.includes(name) && !assets.has(path)) {
        const bytes = readFileSync(new URL(import.meta.resolve(`swagger-ui-dist/${name}`)));
        assets.set(path, pageFile(name, bytes));
      }
      const readModule = assets.has(path) ? undefined : findBrowserModules().get(path);
      if (readModule !== undefined) assets.set(path, pageFile(path, readModule()));
      return assets.get(path) ?? null;
    },
  };
}

function read(path: string): Buffer {
  return readFileSync(new URL(path, folder));
}

/**
 * Adapts a page to an address one level down. All addresses in pages are relative and begin with
 * `./`, so that they work below a path of a proxy.
 */
function oneLevelDown(html: string): string {
  return html.replaceAll('="./', '="../');
}

const contentTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
};

function pageFile(name: string, plain: Buffer): PageFile {
  const contentType = contentTypes[extname(name)];
  if (contentType === undefined) throw new Error(`${basename(name)} is of no known type`);
  return { contentType, ...codedBytes(plain, createHash('sha256').update(plain).digest('hex')) };
}
