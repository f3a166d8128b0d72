import { readdirSync, readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { posix } from 'node:path';

/** Returns the text of a module in a form for browsers. */
type ReadModule = () => Buffer;

/**
 * Finds all modules that the scripts of the pages import, by path below `/pages/`. In their form for
 * browsers, TypeScript has lost its types, and every import names the address of its module. Throws
 * if a module is outside these folders (`roots`). The files are read once, by the first call.
 * Stripping all types takes 0.15 s, so each module is converted when it is asked for.
 */
export function findBrowserModules(): ReadonlyMap<string, ReadModule> {
  alreadyFound ??= findAll();
  return alreadyFound;
}

let alreadyFound: ReadonlyMap<string, ReadModule> | undefined;

function findAll(): ReadonlyMap<string, ReadModule> {
  const modules = new Map<string, ReadModule>();
  const todo = readdirSync(new URL('pages/', source))
    .filter((name) => name.endsWith('.js'))
    .map((name) => new URL(`pages/${name}`, source));
  for (let file = todo.pop(); file !== undefined; file = todo.pop()) {
    const path = pathOf(file);
    if (modules.has(path)) continue;
    const written = readFileSync(file, 'utf8');
    modules.set(path, () => Buffer.from(asBrowsersRun(file, path, written)));
    todo.push(...importedBy(file, written));
  }
  return modules;
}

const source = new URL('../../', import.meta.url);

/** Source folders of modules, and their folders below `/pages/`. */
const roots = [
  { folder: new URL('pages/', source), below: '' },
  { folder: new URL('verifier/', source), below: 'verifier/' },
  { folder: new URL('domain/', source), below: 'domain/' },
  { folder: new URL('.', import.meta.resolve('@noble/hashes/sha2.js')), below: 'noble-hashes/' },
  { folder: new URL('.', import.meta.resolve('@noble/curves/utils.js')), below: 'noble-curves/' },
  { folder: new URL('.', import.meta.resolve('canonicalize')), below: 'canonicalize/' },
  { folder: new URL('.', import.meta.resolve('@simplewebauthn/browser')), below: 'webauthn/' },
];

function pathOf({ href }: URL): string {
  const root = roots.find(({ folder }) => href.startsWith(folder.href));
  if (root === undefined) throw new Error(`browsers cannot load ${href}`);
  return `${root.below}${href.slice(root.folder.href.length)}`.replace(/\.ts$/, '.js');
}

/** A comment, a statement that imports or exports from a module, or a call that imports one when it is needed. */
const importing =
  /\/\*[\s\S]*?\*\/|(^(?:import|export)\s(?:[\w\s{},*$]+\sfrom\s*)?|\bawait import\()(['"])([^'"\n]+)\2/gm;

/** Modules that the file imports when it runs, so not those of `import type`. */
function importedBy(file: URL, written: string): readonly URL[] {
  return [...written.matchAll(importing)].flatMap(([, statement = '', , name]) => {
    return name === undefined || /^import type\b/.test(statement) ? [] : moduleOf(file, name);
  });
}

function moduleOf(file: URL, name: string): URL {
  return name.startsWith('.') ? new URL(name, file) : new URL(import.meta.resolve(name));
}

function asBrowsersRun(file: URL, path: string, written: string): string {
  const script = file.href.endsWith('.ts') ? stripTypes(written) : written;
  return withoutDocs(script).replace(
    importing,
    (found: string, ...[statement, quote, name]: (string | undefined)[]) => {
      if (name === undefined) return found;
      const address = posix.relative(posix.dirname(path), pathOf(moduleOf(file, name)));
      return `${statement}${quote}${address.startsWith('.') ? address : `./${address}`}${quote}`;
    },
  );
}

/** Empties lines of comments, a third of the bytes. Line numbers and licences (`/*!`) stay. */
function withoutDocs(script: string): string {
  const comment = /^[ \t]*(?:\/\*\*(?:(?!\*\/)[\s\S])*\*\/[ \t]*|\/\/ .*)$/gm;
  return script.replace(comment, (found) => '\n'.repeat(found.split('\n').length - 1));
}

/**
 * Strips the types, and the blanks in their places, without node's warning. Node 26 warns once that the function may change.
 * Operators cannot act on that, and the tests run the result in a browser.
 */
function stripTypes(text: string): string {
  const { emitWarning } = process;
  process.emitWarning = () => {};
  try {
    return withoutPlaces(text, stripTypeScriptTypes(text));
  } finally {
    process.emitWarning = emitWarning;
  }
}

/**
 * Removes the blanks that stand for types. A blank between two words is not among them: it was there
 * before. Line numbers stay.
 */
function withoutPlaces(text: string, stripped: string): string {
  if (text.length !== stripped.length) return stripped;
  let kept = '';
  for (let at = 0; at < text.length; at += 1) {
    const isPlace = stripped[at] === ' ' && text[at] !== ' ';
    if (!isPlace) kept += stripped[at];
  }
  return kept.replace(/ +$/gm, '');
}
