import { chmod, readdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { type BuildOptions, build, type PluginBuild } from 'esbuild';

/**
 * Completes the folder `dist` (or the one that is named) after the compiler: the verifier, built from
 * the modules of the service, the command line, and the licences of the packages that are built in.
 */
const here = import.meta.dirname;
const dist = resolve(process.argv[2] ?? join(here, 'dist'));

const cli = join(dist, 'cli/proofmark.js');

const packageFolder = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/;

const common: BuildOptions = {
  bundle: true,
  metafile: true,
  format: 'esm',
  target: 'es2022',
  logLevel: 'warning',
  legalComments: 'none',
  absWorkingDir: here,
};

const built = [
  // Runs in browsers and workers as well, so nothing of Node is left in it.
  await build({
    ...common,
    entryPoints: [join(here, 'verifier/verifier.ts')],
    outfile: join(dist, 'verify/verifier.js'),
    platform: 'browser',
    minifySyntax: true,
    minifyWhitespace: true,
  }),
  await build({
    ...common,
    entryPoints: [join(here, 'verifier/asking.ts')],
    outfile: join(dist, 'verify/asking.js'),
    platform: 'node',
    minifySyntax: true,
    minifyWhitespace: true,
    banner: { js: requireForPackages() },
  }),
  await build({
    ...common,
    entryPoints: [join(here, 'cli/proofmark.ts')],
    outfile: cli,
    platform: 'node',
    define: { packageVersion: JSON.stringify(await ownVersion()) },
    banner: { js: requireForPackages() },
    plugins: [{ name: 'compiled-modules', setup: importCompiled }],
  }),
];
await chmod(cli, 0o755);
await writeFile(join(dist, 'LICENSES.txt'), await licences(built.map(({ metafile }) => metafile)));

/** The command line runs the modules of the package, not copies of them. */
function importCompiled({ onResolve }: PluginBuild): void {
  onResolve({ filter: /^\.\.\/src\// }, ({ path }) => ({
    path: path.replace('../src/', '../').replace(/\.ts$/, '.js'),
    external: true,
  }));
}

async function ownVersion(): Promise<string> {
  return JSON.parse(await readFile(join(here, 'package.json'), 'utf8')).version;
}

/** Some packages are CommonJS, and require modules of Node. */
function requireForPackages(): string {
  return "import { createRequire as requireOf } from 'node:module'; const require = requireOf(import.meta.url);";
}

/** Name, version and licence of each package whose code is in the built files. */
async function licences(metafiles: readonly BuildResultFiles[]): Promise<string> {
  const inputs = metafiles.flatMap((metafile) => Object.keys(metafile?.inputs ?? {}));
  const folders = new Set(inputs.flatMap((path) => packageFolder.exec(path)?.[0] ?? []));
  const texts = await Promise.all(
    [...folders].sort().map((folder) => licenceOf(join(here, folder))),
  );
  return texts.join(`\n${'-'.repeat(80)}\n\n`);
}

type BuildResultFiles = Awaited<ReturnType<typeof build>>['metafile'];

async function licenceOf(folder: string): Promise<string> {
  const { name, version, license } = JSON.parse(
    await readFile(join(folder, 'package.json'), 'utf8'),
  );
  const file = (await readdir(folder)).find((each) => /^licen[cs]e/i.test(each));
  const text = file === undefined ? '' : await readFile(join(folder, file), 'utf8');
  return `${name} ${version} (${license})\n\n${text.trim()}\n`;
}
