import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, extname } from 'node:path';
import { verifierProgram } from '../../certificates/verifier-program.ts';
import { type CodedBytes, codedBytes } from '../headers/content-coding.ts';
import type { ReferenceContent } from '../reference/reference-content.ts';
import { factsInHtml, type Operator, operatorLine } from './about-operator.ts';
import { findBrowserModules } from './browser-modules.ts';
import { fillProblem, type ProblemValues } from './fill-problem.ts';
import { fillShared } from './fill-shared.ts';
import { escapeHtml, fillTexts, type Texts } from './fill-texts.ts';
import { inFrame, verifierIn, withoutAddress } from './in-frame.ts';
import type { PublicFacts } from './public-facts.ts';
import type { SharedFacts } from './shared-facts.ts';

/** A file for browsers. Its bytes do not change while the process lives. */
export interface PageFile extends CodedBytes {
  readonly contentType: string;
}

export interface PageFiles {
  /** The explorer of the log. */
  log(): PageFile;
  /**
   * The page that verifies, with the published keys. Its addresses are relative to the root (0), or to
   * one level below it (1). `facts` are null if they are not known now.
   */
  verify(depth: 0 | 1, facts: PublicFacts | null): PageFile;
  /** The home page with these facts; null if they are not known now. */
  home(facts: PublicFacts | null): PageFile;
  /** The reference, made on first use: it shows the public URL, which listening may decide. */
  reference(): PageFile;
  /** The page of an error. `root` is the address of the root, relative to the page's own. */
  problem(values: ProblemValues): string;
  /** The page of a proof that its owner shares. Its addresses are relative to one level below. */
  shared(shared: SharedFacts & { readonly token: string }, facts: PublicFacts | null): string;
  /** File that pages load, by its path below `/pages/`; null if there is no such file. */
  asset(path: string): PageFile | null;
}

const folder = new URL('../../pages/', import.meta.url);

/**
 * Reads the files for browsers, and their modules on first use. No other file of the disk can be
 * requested.
 */
export function readPageFiles(
  publicUrl: () => string,
  describe: () => ReferenceContent,
  operator = nobody,
  language = 'en',
): PageFiles {
  const texts = JSON.parse(read(`texts/${language}.json`).toString()) as Texts;
  const assets = new Map<string, PageFile>();
  for (const name of readdirSync(folder)) {
    if (['.css', '.png', '.py'].includes(extname(name)))
      assets.set(name, pageFile(name, read(name)));
  }
  for (const name of readdirSync(new URL('sample/', folder))) {
    assets.set(`sample/${name}`, pageFile(name, read(`sample/${name}`)));
  }
  const line = operatorLine(operator, texts);
  const { sha256: verifierHash } = verifierProgram();
  const frame = read('frame.html').toString();
  const verifier = verifierIn(read('verify.html').toString());
  // The address is known only once the server listens.
  const addressed = (html: string) => {
    return html.replaceAll('{publicUrl}', () => escapeHtml(publicUrl().replace(/\/+$/, '')));
  };
  const readPage = (name: string) => {
    const whole = inFrame(name, frame, read(`${name}.html`).toString());
    return fillTexts(
      name,
      whole
        .replace('{verifierForm}', () => verifier.form)
        .replace('{verifierResults}', () => verifier.results),
      texts,
      language,
    )
      .replace('{operator}', () => line)
      .replace('{verifierHash}', verifierHash);
  };
  const log = readPage('log');
  const verify = [readPage('verify'), withoutAddress(oneLevelDown(readPage('verify')))] as const;
  const [logFile, ...verifyFiles] = [keptPage(), keptPage(), keptPage()] as const;
  const problem = readPage('problem');
  const shared = readPage('shared');
  const home = createHome(readPage('home'), texts, addressed);
  const unfilled = readPage('reference');
  let reference: PageFile | undefined;
  return {
    problem: (values) => fillProblem(addressed(problem), texts, values),
    home,
    reference() {
      reference ??= pageFile(
        'reference.html',
        Buffer.from(fillReference(addressed(unfilled), describe())),
      );
      return reference;
    },
    shared: (proof, facts) => {
      // First the keys: the values of the proof may look like a placeholder.
      const html = withServiceKeys(oneLevelDown(addressed(shared)), facts);
      return fillShared(html, texts, proof);
    },
    log: () => logFile(addressed(log)),
    verify: (depth, facts) => {
      return verifyFiles[depth](withServiceKeys(addressed(verify[depth]), facts));
    },
    asset(path) {
      const readModule = assets.has(path) ? undefined : findBrowserModules().get(path);
      if (readModule !== undefined) assets.set(path, pageFile(path, readModule()));
      return assets.get(path) ?? null;
    },
  };
}

function fillReference(written: string, content: ReferenceContent): string {
  return written.replace(
    /\{(contents|version|body)\}|"\{(calls)\}"/g,
    (_, html?: keyof ReferenceContent, json?: keyof ReferenceContent) =>
      content[html ?? json ?? 'version'],
  );
}

/** A page whose last file is kept: the facts in it hardly ever change. */
function keptPage() {
  let last: { readonly html: string; readonly file: PageFile } | null = null;
  return (html: string): PageFile => {
    if (last?.html !== html) last = { html, file: pageFile('page.html', Buffer.from(html)) };
    return last.file;
  };
}

function withServiceKeys(html: string, facts: PublicFacts | null): string {
  return html.replace('{serviceKeys}', () => serviceKeysInHtml(facts));
}

/**
 * The published keys of this service as JSON in HTML, for the verifier of a page. Empty lists if they
 * are not known now.
 */
function serviceKeysInHtml(facts: PublicFacts | null): string {
  const keys = {
    log: facts?.logKeys ?? [],
    issuer: (facts?.issuerKeys ?? []).map(({ key, compromisedSince }) => ({
      ...{ key, compromisedSince },
    })),
  };
  const json = JSON.stringify(keys).replaceAll('<', '\\u003c');
  return `<script type="application/json" id="service-keys">${json}</script>`;
}

function createHome(html: string, texts: Texts, addressed: (html: string) => string) {
  const kept = keptPage();
  return (facts: PublicFacts | null): PageFile => {
    const { accounts, logKeys, issuerKeys } = factsInHtml(facts, texts);
    const filled = html
      .replace('{accounts}', () => accounts)
      .replace('{logKeys}', () => logKeys)
      .replace('{issuerKeys}', () => issuerKeys);
    return kept(withServiceKeys(addressed(filled), facts));
  };
}

const nobody: Operator = { name: null, contact: null, imprintUrl: null, privacyUrl: null };

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
  '.png': 'image/png',
  '.py': 'text/x-python; charset=utf-8',
  '.pdf': 'application/pdf',
  '.txt': 'text/plain; charset=utf-8',
};

function pageFile(name: string, plain: Buffer): PageFile {
  const contentType = contentTypes[extname(name)];
  if (contentType === undefined) throw new Error(`${basename(name)} is of no known type`);
  return { contentType, ...codedBytes(plain, createHash('sha256').update(plain).digest('hex')) };
}
