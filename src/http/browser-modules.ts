import { readdirSync, readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { posix } from 'node:path';

/**
 * All modules that the scripts of the pages import, by their path below `/pages/`, as browsers run them:
 * TypeScript without its types, and every import by the address of its module. Throws if one imports
 * a module that has no place there.
 */
export function readBrowserModules(): ReadonlyMap<string, Buffer> {
  const modules = new Map<string, Buffer>();
  const todo = readdirSync(new URL('pages/', source))
    .filter((name) => name.endsWith('.js'))
    .map((name) => new URL(`pages/${name}`, source));
  for (let file = todo.pop(); file !== undefined; file = todo.pop()) {
    const path = pathOf(file);
    if (modules.has(path)) continue;
    const { text, imported } = asBrowsersRun(file, path);
    modules.set(path, Buffer.from(text));
    todo.push(...imported);
  }
  return modules;
}

const source = new URL('../', import.meta.url);

/** Folders that modules come from, and theirs below `/pages/`. */
const places = [
  { folder: new URL('pages/', source), below: '' },
  { folder: new URL('verifier/', source), below: 'verifier/' },
  { folder: new URL('domain/', source), below: 'domain/' },
  { folder: new URL('.', import.meta.resolve('@noble/hashes/sha2.js')), below: 'noble-hashes/' },
  { folder: new URL('.', import.meta.resolve('canonicalize')), below: 'canonicalize/' },
];

function pathOf({ href }: URL): string {
  const place = places.find(({ folder }) => href.startsWith(folder.href));
  if (place === undefined) throw new Error(`browsers cannot load ${href}`);
  return `${place.below}${href.slice(place.folder.href.length)}`.replace(/\.ts$/, '.js');
}

/** A comment, or a statement that imports from a module. */
const importing = /\/\*[\s\S]*?\*\/|^(import\s(?:[\w\s{},*$]+\sfrom\s*)?)(['"])([^'"\n]+)\2/gm;

function asBrowsersRun(file: URL, path: string) {
  const written = readFileSync(file, 'utf8');
  const imported: URL[] = [];
  const text = (file.href.endsWith('.ts') ? stripTypes(written) : written).replace(
    importing,
    (found: string, ...[statement, quote, name]: (string | undefined)[]) => {
      if (name === undefined) return found;
      const isOwn = name.startsWith('.');
      const module = isOwn ? new URL(name, file) : new URL(import.meta.resolve(name));
      imported.push(module);
      const address = posix.relative(posix.dirname(path), pathOf(module));
      return `${statement}${quote}${address.startsWith('.') ? address : `./${address}`}${quote}`;
    },
  );
  return { text, imported };
}

/**
 * Node 26 warns of this function, once, that it may change. Operators cannot act on that warning, and
 * the tests run what it gives in a browser.
 */
function stripTypes(text: string): string {
  const { emitWarning } = process;
  process.emitWarning = () => {};
  try {
    return stripTypeScriptTypes(text);
  } finally {
    process.emitWarning = emitWarning;
  }
}
