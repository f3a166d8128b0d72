import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { test } from 'tap';
import { filesOfTour } from './support/documents.ts';

/**
 * The import table of the architecture: project folders that a place may import. Type-only imports
 * of a `contract.ts` are allowed anywhere. So is `src/errors`.
 */
const log = (...folders: string[]) => folders.map((folder) => `src/transparency-log/${folder}`);
const audit = (...places: string[]) => places.map((place) => `ops/audit/${place}`);
const http = (...places: string[]) => places.map((place) => `src/http/${place}`);
const allowed: Readonly<Record<string, readonly string[]>> = {
  'src/main.ts': ['src/program', 'src/config.ts', 'src/embedded', 'src/signals'],
  'src/program': [
    ...['src/program', 'src/config.ts', 'src/config', 'src/domain', 'src/event-store'],
    'src/verifier/log',
    ...['src/subscriptions', 'src/transparency-log', 'src/loading', 'src/commands'],
    ...['src/anchoring-state', 'src/reactors', 'src/views'],
    ...[
      'src/http',
      'src/database-threads',
      'src/telemetry',
      'src/embedded',
      'src/byte-verification',
    ],
    ...[
      'src/ledger',
      'src/signing',
      'src/webhooks',
      'src/certificates',
      'src/files',
      'src/storage',
      'projections',
    ],
    ...['src/verifier/evidence', 'src/timestamps', 'src/issuer', 'src/identity'],
  ],
  'src/config.ts': ['src/config'],
  'src/config': [
    'src/config',
    'src/event-store/database-hosts.ts',
    'src/ledger/derive-key-pair.ts',
  ],
  'src/errors': [],
  'src/signals': [],
  'src/files': ['src/files'],
  'src/domain': ['src/domain'],
  'src/transparency-log/tree': [...log('tree'), 'src/verifier/log'],
  'src/transparency-log/checkpoint': [
    ...log('checkpoint', 'tree'),
    'src/verifier/log',
    'src/domain',
  ],
  'src/transparency-log/cosigning': [...log('cosigning', 'checkpoint', 'tree'), 'src/verifier/log'],
  'src/transparency-log/witnesses': [
    ...log('witnesses', 'cosigning', 'inclusion', 'published', 'checkpoint', 'tree'),
    'src/event-store',
    'src/verifier/log',
  ],
  'src/transparency-log/handle-log.ts': ['src/domain', 'src/event-store', 'src/loading'],
  'src/transparency-log/known-signatures.ts': ['src/domain', 'src/event-store'],
  'src/transparency-log/current-origin.ts': ['src/domain', 'src/loading'],
  'src/transparency-log/published': [
    ...log('published', 'cosigning', 'checkpoint', 'tree'),
    ...['src/domain', 'src/event-store', 'src/storage', 'src/files', 'src/verifier/log'],
  ],
  'src/transparency-log/inclusion': [
    ...log('inclusion', 'published', 'cosigning', 'checkpoint', 'tree'),
    ...['src/domain', 'src/event-store', 'src/loading', 'src/verifier/log'],
  ],
  'src/transparency-log/guard': [
    ...log('guard', 'published', 'checkpoint', 'tree', 'known-signatures.ts'),
    ...['src/domain', 'src/event-store', 'src/loading', 'src/ledger', 'src/anchoring-state'],
  ],
  'src/transparency-log/publish': [
    ...log('publish', 'guard', 'published', 'checkpoint', 'tree', 'current-origin.ts'),
    ...['src/domain', 'src/event-store', 'src/loading', 'src/subscriptions'],
  ],
  'src/transparency-log/restore': [
    ...log('restore', 'guard', 'published', 'checkpoint', 'tree', 'handle-log.ts'),
    ...log('known-signatures.ts'),
    ...['src/domain', 'src/event-store', 'src/loading', 'src/ledger', 'src/anchoring-state'],
    'src/commands',
  ],
  'src/event-store': ['src/event-store', 'src/domain'],
  'src/loading': ['src/loading', 'src/domain', 'src/event-store'],
  'src/run-statement': ['src/domain', ...log('tree')],
  'src/subscriptions': ['src/subscriptions', 'src/domain', 'src/event-store'],
  'src/ledger': ['src/ledger', 'src/domain'],
  'src/signing': ['src/signing', 'src/ledger', 'src/domain'],
  'src/identity': ['src/identity', 'src/domain'],
  'src/timestamps': ['src/timestamps', 'src/verifier/evidence', 'src/verifier/timestamp'],
  'src/webhooks': ['src/webhooks', 'src/domain'],
  'src/verifier': ['src/verifier', 'src/domain'],
  'src/certificates': [
    'src/certificates',
    'src/verifier',
    'src/domain',
    'src/threads',
    ...log('checkpoint'),
  ],
  'src/encrypted-files': ['src/encrypted-files', 'src/domain'],
  'src/storage': ['src/storage', 'src/encrypted-files', 'src/files', 'src/domain'],
  'src/telemetry': [
    ...['src/telemetry', 'src/event-store', 'src/subscriptions'],
    'src/domain/proof/due-proof.ts',
  ],
  'src/threads': ['src/threads', 'src/domain'],
  'src/byte-verification': ['src/byte-verification', 'src/encrypted-files', 'src/domain'],
  'src/commands': [
    'src/commands',
    'src/domain',
    'src/event-store',
    'src/loading',
    'src/run-statement',
    ...log('inclusion'),
  ],
  'src/anchoring-state': [
    ...['src/anchoring-state', 'src/domain', 'src/event-store', 'src/loading'],
    ...['src/subscriptions', 'src/ledger'],
  ],
  'src/reactors': [
    'src/reactors',
    'src/anchoring-state',
    'src/domain',
    'src/commands',
    'src/event-store',
    'src/subscriptions',
    ...log('tree', 'handle-log.ts'),
    'src/loading',
    ...['src/ledger', 'src/webhooks', 'src/storage', 'src/verifier/evidence', 'src/timestamps'],
    'src/verifier/xpop/node-key.ts',
  ],
  'src/issuer': [
    'src/issuer',
    'src/domain',
    'src/event-store',
    ...log('checkpoint'),
    'src/loading',
  ],
  'src/witness': [
    'src/witness',
    'src/embedded',
    'src/files',
    'src/verifier/log',
    ...log('checkpoint', 'cosigning', 'tree'),
  ],
  'src/embedded': ['src/embedded', 'src/files'],
  'src/views': [
    'src/views',
    'src/domain',
    'src/event-store',
    'src/loading',
    'src/subscriptions',
    'projections',
    'src/verifier/evidence',
    'src/verifier/xpop',
    'src/certificates/verifier-program.ts',
  ],
  'src/http/errors': [
    ...http('errors', 'reply.ts', 'request-state.ts', 'limits/rate-limit-exceeded.ts'),
    ...http('offload/offload-refused.ts', 'shares/too-much-at-once.ts'),
    ...['src/domain', 'src/event-store'],
  ],
  'src/http/headers': http('headers', 'reply.ts', 'request-state.ts'),
  'src/http/connections': http('connections', 'errors', 'headers', 'reply.ts'),
  'src/http/middleware': [...http('middleware', 'reply.ts', 'request-state.ts'), 'src/domain'],
  'src/http/receiving': [
    ...http('receiving', 'shares', 'input.ts', 'request-state.ts', 'route-description.ts'),
    ...['src/domain', 'projections'],
  ],
  'src/http/shares': [...http('shares'), 'src/domain'],
  'src/http': [
    'src/http',
    'src/views',
    'src/domain',
    'src/commands',
    'src/event-store',
    'src/loading',
    'src/run-statement',
    'src/subscriptions',
    'src/threads',
    ...log('inclusion', 'published', 'tree'),
    ...['projections', 'src/verifier/timestamp'],
    'src/identity/provider-error.ts',
    'src/certificates/verifier-program.ts',
  ],
  'src/database-threads': [
    'src/database-threads',
    'src/http',
    'src/views',
    'src/reactors',
    'src/domain',
    'src/event-store',
    'src/subscriptions',
    'src/telemetry',
    'src/threads',
    'projections',
  ],
  'src/pages': ['src/pages', 'src/verifier', 'src/domain'],
  // Published as a package of its own.
  'clients/typescript/src': ['clients/typescript/src'],
  projections: ['projections', 'src/domain', 'src/event-store', 'src/subscriptions'],
  migrations: [],
  'ops/audit/findings': [...audit('findings'), 'src', 'ops/terminal'],
  'ops/audit/bounded': audit('bounded'),
  'ops/audit/rows': [...audit('rows'), 'src', 'ops/terminal'],
  'ops/audit/database': [
    ...audit('database', 'rows', 'findings'),
    'src',
    'ops/session',
    'ops/terminal',
  ],
  'ops/audit/history': [...audit('history', 'rows'), 'src'],
  'ops/audit/checkpoints': [
    ...audit('checkpoints', 'bounded', 'history', 'rows', 'findings'),
    'src',
  ],
  'ops/audit/tree': [...audit('tree', 'findings'), 'src'],
  'ops/audit/streams': [...audit('streams', 'bounded', 'rows', 'findings'), 'src'],
  'ops/audit/damage': [...audit('damage', 'bounded', 'tree', 'streams', 'rows', 'findings'), 'src'],
  'ops/audit/threads': [...audit('threads', 'anchors/signed-blobs.ts', 'streams', 'rows'), 'src'],
  'ops/audit/anchors': [
    ...audit('anchors', 'bounded', 'history', 'rows', 'findings'),
    'src',
    'ops/ledger',
  ],
  'ops/audit/outside': [
    ...audit('outside', 'anchors/anchor-audit-options.ts', 'checkpoints', 'history', 'findings'),
    ...['src', 'ops/terminal'],
  ],
  'ops/audit/tables': [...audit('tables', 'rows', 'findings'), 'src'],
  'ops/audit/files': [...audit('files', 'bounded', 'rows', 'findings'), 'src'],
  'ops/audit/read-models': [
    ...audit('read-models', 'tables', 'database', 'rows', 'findings'),
    ...['src', 'projections', 'ops/terminal'],
  ],
  'ops/audit/export': [...audit('export', 'rows', 'findings'), 'src'],
  'ops/audit/log': [
    ...audit('log', 'damage', 'tree', 'streams', 'threads', 'checkpoints', 'outside', 'anchors'),
    ...audit('tables', 'history', 'rows', 'findings'),
    'src',
  ],
  'ops/audit/report': [
    ...audit('report', 'files', 'outside', 'history', 'findings'),
    'ops/terminal',
  ],
  'ops/following': [
    ...audit('checkpoints/known-keys.ts', 'outside/outside-checkpoint.ts'),
    ...audit('outside/ask-ledgers.ts', 'outside/ledger-checkpoints.ts'),
    ...['src', 'ops/following', 'ops/terminal'],
  ],
  'ops/bench/folder': ['src', 'ops', 'clients/typescript/src'],
  ops: ['src', 'projections', 'ops'],
  'clients/typescript/src/verify': ['verify', 'hashing', 'files', 'errors.ts'].map(
    (place) => `clients/typescript/src/${place}`,
  ),
  'clients/typescript/cli': ['clients/typescript/cli', 'clients/typescript/src', 'ops/terminal'],
  'clients/typescript/verifier': [
    ...['clients/typescript/verifier', 'clients/typescript/src/verify/contract.ts'],
    ...['src/certificates', 'src/verifier', 'ops/verifying'],
  ],
  'clients/typescript/build.ts': [],
  test: ['src', 'projections', 'ops', 'test', 'clients'],
};

/**
 * Packages that a place may import, if restricted. Browsers load the code of verifier and pages.
 */
const packages: Readonly<Record<string, readonly string[]>> = {
  'src/domain': ['node:crypto', '@noble/hashes'],
  'src/verifier': ['@noble/curves', '@noble/hashes', 'canonicalize'],
  'src/pages': ['@noble/hashes', 'canonicalize', '@simplewebauthn/browser'],
  'clients/typescript/src': [
    ...['@noble/hashes', 'openapi-fetch', 'openapi-typescript-helpers'],
    // Only types: browsers load none of them.
    ...['node:crypto', 'node:fs', 'node:path'],
  ],
};

const root = resolve(import.meta.dirname, '..');
const posix = (path: string) => path.split(sep).join('/');
const under = (path: string, place: string) => path === place || path.startsWith(`${place}/`);

function placeOf(path: string): string | undefined {
  return Object.keys(allowed)
    .filter((place) => under(path, place))
    .sort((a, b) => b.length - a.length)[0];
}

/**
 * Imports in a source text: specifier, and whether it is erased at run time. Includes those of JSDoc,
 * by which scripts of the pages import types.
 */
function importsOf(text: string): { specifier: string; typeOnly: boolean }[] {
  const statement =
    /^\s*(?:import|export)\s+(?<type>type\s+)?(?:[^'";]*?\sfrom\s+)?['"](?<stated>[^'"]+)['"]|(?<tag>@import)\s[^'"]*?\sfrom\s+['"](?<tagged>[^'"]+)['"]|(?<query>typeof\s+)?import\(\s*['"](?<called>[^'"]+)['"]\s*\)(?<member>\.[A-Z])?|new URL\(\s*['"](?<address>\.[^'"]+\.ts)['"]/gm;
  return [...text.matchAll(statement)].flatMap(({ groups = {} }) => {
    const specifier = groups.stated ?? groups.tagged ?? groups.called ?? groups.address;
    const typeOnly = [groups.type, groups.tag, groups.query, groups.member].some(Boolean);
    return specifier === undefined ? [] : [{ specifier, typeOnly }];
  });
}

const code = [
  '{src,projections,migrations,ops,test}/**/*.ts',
  'clients/typescript/{src,cli,verifier}/**/*.ts',
  'clients/typescript/*.ts',
  'src/pages/**/*.js',
];
const sources = globSync(code, { cwd: root }).map(posix);

test('every source file has a place in the import table', async (t) => {
  t.ok(sources.length > 0);
  t.strictSame(
    sources.filter((file) => placeOf(file) === undefined),
    [],
  );
});

test('imports follow the table in one direction, and nothing imports main', async (t) => {
  t.strictSame(sources.flatMap(violationsIn), []);
});

/** Test of one file of the program, without a process of its own. */
function isOfProgram(file: string): boolean {
  return file.startsWith('test/program/');
}

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
    const mayStart = place === 'src/main.ts' || place === 'src/program' || isOfProgram(file);
    if (ofProgram && !mayStart) {
      return [`${file} imports ${target}, which only main and tests of the program may`];
    }
    const isContract = /\/contract\.ts$/.test(target) && typeOnly;
    const isErrorBase = under(target, 'src/errors');
    const mayImport = (allowed[place] ?? []).some((folder) => under(target, folder));
    return isContract || isErrorBase || mayImport ? [] : [`${file} must not import ${target}`];
  });
}

/** Rooms with one entry. Other places import only this module of them, and so do their tests. */
const doors: Readonly<Record<string, string>> = {
  'src/transparency-log/guard': 'src/transparency-log/guard/check.ts',
  'src/transparency-log/restore': 'src/transparency-log/restore/restore-log.ts',
};

test('a room with one entry is entered only there', async (t) => {
  t.strictSame(
    Object.entries(doors).flatMap(([room, door]) => pastTheDoor(room, door)),
    [],
  );
  t.ok(Object.values(doors).every((door) => sources.includes(door)));
});

/** Imports of modules in the room other than its door, except by the room and its own tests. */
function pastTheDoor(room: string, door: string): string[] {
  const ownTests = room.replace(/^src\//, 'test/');
  const outside = sources.filter((file) => !under(file, room) && !under(file, ownTests));
  return outside.flatMap((file) =>
    targetsOf(file)
      .filter((target) => under(target, room) && target !== door)
      .map((target) => `${file} must import ${door} instead of ${target}`),
  );
}

/** Project files that a file imports, also those of types alone. */
function targetsOf(file: string): string[] {
  return importsOf(readFileSync(join(root, file), 'utf8'))
    .filter(({ specifier }) => specifier.startsWith('.'))
    .map(({ specifier }) => posix(relative(root, resolve(root, dirname(file), specifier))));
}

test('only the place that composes the routes knows all dependencies', async (t) => {
  const importers = sources.filter(
    (file) =>
      file.startsWith('src/') &&
      targetsOf(file).some((target) =>
        /(^|\/)http\/(rooms\/(create-\w[\w-]*|shared)|services)\.ts$/.test(target),
      ),
  );
  t.strictSame(importers.sort(), [
    'src/http/app.ts',
    'src/http/console/console-routes.ts',
    'src/http/rooms/create-console-rooms.ts',
    'src/http/rooms/create-rooms.ts',
    'src/http/rooms/create-run-deps.ts',
    'src/http/rooms/create-shared.ts',
    'src/http/routes.ts',
  ]);
});

test('reads imports of every form, also those in comments', async (t) => {
  const all: readonly (readonly [string, 'values' | 'types'])[] = [
    ["import { a } from './y.ts'", 'values'],
    ["import './y.ts'", 'values'],
    ["const a = await import('./y.ts')", 'values'],
    ["import('./y.ts').then(use)", 'values'],
    ["new URL('./y.ts', import.meta.url)", 'values'],
    ["import type { A } from './y.ts'", 'types'],
    ["/** @import { A } from './y.ts' */", 'types'],
    ["/**\n * A text.\n * @import {\n *   A, B\n * } from './y.ts'\n */", 'types'],
    ["/** @import * as all from './y.ts' */", 'types'],
    ["/** @param {import('./y.ts').A} a */", 'types'],
    ["/** @type {typeof import('./y.ts')} */", 'types'],
  ];
  for (const [text, kind] of all) {
    t.strictSame(importsOf(text), [{ specifier: './y.ts', typeOnly: kind === 'types' }], text);
  }
});

test('files do not import each other in a circle, not even types', async (t) => {
  t.strictSame(circlesAmong(sources), []);
});

/** Groups of files that reach one another by imports (Tarjan's algorithm). */
function circlesAmong(files: readonly string[]): string[] {
  const order = new Map<string, number>();
  const open: string[] = [];
  const circles: string[] = [];
  const visit = (file: string): number => {
    const index = order.size;
    order.set(file, index);
    open.push(file);
    let low = index;
    for (const target of targetsOf(file).filter((one) => known.has(one))) {
      if (!order.has(target)) low = Math.min(low, visit(target));
      else if (open.includes(target)) low = Math.min(low, order.get(target) ?? index);
    }
    if (low === index) {
      const group = open.splice(open.indexOf(file));
      if (group.length > 1) circles.push(group.sort().join(' ↔ '));
    }
    return low;
  };
  const known = new Set(files);
  for (const file of files) if (!order.has(file)) visit(file);
  return circles;
}

test('the top level contains exactly the listed entries', async (t) => {
  const listed = [
    ...['migrations', 'ops', 'projections', 'src', 'test', 'docs', 'clients'],
    ...['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md', 'LICENSE'],
    ...['package.json', 'package-lock.json', 'tsconfig.json', 'biome.json'],
  ];
  const notKept = ['node_modules', 'var', 'coverage', ...filesOfTour];
  const seen = globSync('*', { cwd: root });
  t.strictSame(
    seen.filter((name) => ![...listed, ...notKept].includes(name)),
    [],
  );
});

test('no file re-exports another, is empty, or is called utils, helpers or common', async (t) => {
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
