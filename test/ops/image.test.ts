import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, join, relative, resolve } from 'node:path';
import { test } from 'tap';
import { projectRoot } from '../support/run.ts';

const manifest = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8'));

/** Paths that the Dockerfile copies from the project into the image. */
const copied = [
  ...readFileSync(join(projectRoot, 'ops/deploy/Dockerfile'), 'utf8').matchAll(
    /^COPY (?!--)(.*)$/gm,
  ),
].flatMap(([, rest = '']) => globSync(rest.split(' ').slice(0, -1), { cwd: projectRoot }));

const isInImage = (path: string) =>
  copied.some((source) => path === source || path.startsWith(`${source}/`));

const imported =
  /(?:from|import) '([^'\s]+)'|\bimport\('([^'\s]+)'\)|new URL\('(\.[^'\s]+)', import\.meta\.url/g;

/** Files and packages that a program needs, found by following its imports. */
function partsOf(entry: string): { readonly files: Set<string>; readonly packages: Set<string> } {
  const files = new Set<string>();
  const packages = new Set<string>();
  const waiting = [entry];
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (files.has(file)) continue;
    files.add(file);
    const path = join(projectRoot, file);
    if (!file.endsWith('.ts') || !statSync(path).isFile()) continue;
    for (const [, one, other, url] of readFileSync(path, 'utf8').matchAll(imported)) {
      const name = one ?? other ?? url ?? '';
      if (name.startsWith('.')) {
        const found = relative(projectRoot, resolve(dirname(path), name));
        if (existsSync(join(projectRoot, found))) waiting.push(found);
      } else if (!isBuiltin(name)) packages.add(name.split('/', name[0] === '@' ? 2 : 1).join('/'));
    }
  }
  return { files, packages };
}

for (const entry of [
  'src/main.ts',
  'ops/cli.ts',
  'ops/run-ledger.ts',
  'ops/deploy/healthcheck.ts',
]) {
  test(`${entry} finds all its imports in the image`, async (t) => {
    const { files, packages } = partsOf(entry);
    t.strictSame(
      [...files].filter((file) => !isInImage(file)),
      [],
      `${files.size} files are copied`,
    );
    const missing = [...packages].filter((name) => !(name in manifest.dependencies));
    t.strictSame(missing, [], `${packages.size} packages are installed for production`);
  });
}
