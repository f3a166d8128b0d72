import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { test } from 'tap';

/**
 * The import table of the architecture: which project folders a place may import. Type-only
 * imports of a contract (`contract.ts` of an outside-world folder) are allowed anywhere, and so are the
 * bases of errors.
 */
const log = (...folders: string[]) => folders.map((folder) => `src/transparency-log/${folder}`);
const outsideWorld = ['src/ledger', 'src/webhooks', 'src/certificates', 'src/storage'];
const allowed: Readonly<Record<string, readonly string[]>> = {
  'src/main.ts': ['src', 'projections', 'migrations'],
  'src/program': ['src', 'projections', 'migrations'],
  'src/config.ts': ['src/config'],
  'src/config': ['src/config'],
  'src/errors': [],
  'src/domain': ['src/domain'],
  'src/transparency-log/tree': log('tree'),
  'src/transparency-log/checkpoint': [...log('checkpoint', 'tree'), 'src/domain'],
  'src/transparency-log/load-log.ts': ['src/domain', 'src/event-store'],
  'src/transparency-log/current-origin.ts': ['src/domain', ...log('load-log.ts')],
  'src/transparency-log/publish': [
    ...log('publish', 'guard', 'checkpoint', 'tree', 'current-origin.ts'),
    ...['src/domain', 'src/event-store', 'src/subscriptions', 'src/storage'],
  ],
  'src/transparency-log/inclusion': [
    ...log('inclusion', 'publish', 'checkpoint', 'tree'),
    ...['src/domain', 'src/event-store'],
  ],
  'src/transparency-log/guard': [
    ...log('guard', 'publish', 'checkpoint', 'tree', 'load-log.ts', 'current-origin.ts'),
    ...['src/domain', 'src/event-store'],
  ],
  'src/transparency-log/restore': [
    ...['src/transparency-log', 'src/domain', 'src/event-store', 'src/commands'],
    ...['src/ledger', 'src/reactors/anchoring'],
  ],
  'src/event-store': ['src/event-store', 'src/domain'],
  'src/subscriptions': ['src/subscriptions', 'src/domain', 'src/event-store'],
  'src/ledger': ['src/ledger', 'src/domain'],
  'src/webhooks': ['src/webhooks', 'src/domain'],
  'src/verifier': ['src/verifier', 'src/domain'],
  'src/certificates': [
    'src/certificates',
    'src/verifier',
    'src/domain',
    'src/threads',
    ...log('checkpoint', 'tree'),
  ],
  'src/storage': ['src/storage', 'src/domain'],
  'src/telemetry': ['src/telemetry', 'src/domain', 'src/event-store', 'src/subscriptions'],
  'src/threads': ['src/threads', 'src/domain'],
  'src/byte-verification': ['src/byte-verification', 'src/domain'],
  'src/commands': [
    'src/commands',
    'src/domain',
    'src/event-store',
    ...log('inclusion', 'publish', 'tree', 'load-log.ts'),
  ],
  'src/reactors': [
    'src/reactors',
    'src/domain',
    'src/commands',
    'src/event-store',
    'src/subscriptions',
    ...log('guard', 'publish', 'load-log.ts'),
    ...outsideWorld,
  ],
  'src/embedded': ['src/embedded'],
  'src/http': [
    'src/http',
    'src/domain',
    'src/commands',
    'src/event-store',
    'src/subscriptions',
    'src/threads',
    ...log('inclusion', 'publish', 'tree'),
    'projections',
  ],
  'src/database-threads': [
    'src/database-threads',
    'src/http',
    'src/reactors',
    'src/domain',
    'src/event-store',
    'src/subscriptions',
    'src/telemetry',
    'src/threads',
    'projections',
  ],
  'src/pages': ['src/pages', 'src/verifier', 'src/domain'],
  projections: ['projections', 'src/domain', 'src/event-store', 'src/subscriptions'],
  migrations: ['migrations'],
  ops: ['src', 'projections', 'migrations', 'ops'],
  test: ['src', 'projections', 'migrations', 'ops', 'test'],
};

/** Packages that a place may import, where not all. Browsers load those of verifier and pages. */
const packages: Readonly<Record<string, readonly string[]>> = {
  'src/domain': ['node:crypto', '@noble/hashes'],
  'src/verifier': ['@noble/hashes', 'canonicalize'],
  'src/pages': ['@noble/hashes', 'canonicalize'],
};

const root = resolve(import.meta.dirname, '..');
const posix = (path: string) => path.split(sep).join('/');
const under = (path: string, place: string) => path === place || path.startsWith(`${place}/`);

function placeOf(path: string): string | undefined {
  return Object.keys(allowed)
    .filter((place) => under(path, place))
    .sort((a, b) => b.length - a.length)[0];
}

/** Projects code imports of one source text: specifier and whether it is erased at run time. */
function importsOf(text: string): { specifier: string; typeOnly: boolean }[] {
  const found: { specifier: string; typeOnly: boolean }[] = [];
  const statement =
    /^\s*(import|export)\s+(type\s+)?(?:[^'";]*?\sfrom\s+)?['"]([^'"]+)['"]|import\(\s*['"]([^'"]+)['"]\s*\)|new URL\(\s*['"](\.[^'"]+\.ts)['"]/gm;
  for (const match of text.matchAll(statement)) {
    const specifier = match[3] ?? match[4] ?? match[5];
    if (specifier !== undefined) found.push({ specifier, typeOnly: match[2] !== undefined });
  }
  return found;
}

const code = ['{src,projections,migrations,ops,test}/**/*.ts', 'src/pages/**/*.js'];
const sources = globSync(code, { cwd: root }).map(posix);

test('every source file has a place in the import table', async (t) => {
  t.ok(sources.length > 0);
  t.strictSame(
    sources.filter((file) => placeOf(file) === undefined),
    [],
  );
});

test('imports follow the table: one-way flow, nobody imports main', async (t) => {
  t.strictSame(sources.flatMap(violationsIn), []);
});

function violationsIn(file: string): string[] {
  const place = placeOf(file);
  if (place === undefined) return [];
  return importsOf(readFileSync(join(root, file), 'utf8')).flatMap(({ specifier, typeOnly }) => {
    if (!specifier.startsWith('.')) {
      const known = packages[place];
      return known === undefined || known.some((name) => under(specifier, name))
        ? []
        : [`${file}: ${place} does not know ${specifier}`];
    }
    const target = posix(relative(root, resolve(root, dirname(file), specifier)));
    if (!/\.(ts|js|json)$/.test(target)) return [`${file}: ${specifier} lacks its extension`];
    if (target === 'src/main.ts') return [`${file} imports main`];
    const ofProgram = target.startsWith('src/program/');
    if (ofProgram && !['src/main.ts', 'src/program'].includes(place)) {
      return [`${file} imports ${target}, which only main may`];
    }
    const isContract = /\/contract\.ts$/.test(target) && typeOnly;
    const isErrorBase = under(target, 'src/errors');
    const mayImport = (allowed[place] ?? []).some((folder) => under(target, folder));
    return isContract || isErrorBase || mayImport ? [] : [`${file} must not import ${target}`];
  });
}

test('the top level is the fixed one', async (t) => {
  const expected = [
    'CHANGELOG.md',
    'LICENSE',
    'README.md',
    'migrations',
    'ops',
    'package-lock.json',
  ];
  expected.push('package.json', 'projections', 'src', 'test', 'tsconfig.json', 'biome.json');
  const ignored = new Set(['node_modules', 'var', 'coverage']);
  const seen = globSync('*', { cwd: root }).filter((name) => !ignored.has(name));
  t.strictSame(seen.sort(), expected.sort());
});

test('no file re-exports another, none is empty, or called utils, helpers or common', async (t) => {
  const offenders = sources.filter((file) => {
    const text = readFileSync(join(root, file), 'utf8');
    const reExports = /^export\s+(\*|\{[^}]*\})\s+from\s/m.test(text);
    return (
      (reExports && !file.endsWith('.d.ts')) ||
      text === '' ||
      /(^|\/)(utils?|helpers?|common)(\.ts|\/)/.test(file)
    );
  });
  t.strictSame(offenders, []);
});
