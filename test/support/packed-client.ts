import { execFile } from 'node:child_process';
import { cp, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import tap, { type Test } from 'tap';
import { newFolder } from './blobs.ts';
import { projectRoot, run } from './run.ts';

const clientFolder = join(projectRoot, 'clients/typescript');
const execute = promisify(execFile);

let installed: Promise<string> | undefined;

/**
 * A new project with the packed client. npm packs and installs the client once for all tests of this
 * process. Resolves with the project's folder.
 */
export async function installClient(t: Pick<Test, 'teardown'>): Promise<string> {
  installed ??= installPacked(tap);
  const cwd = await newFolder(t);
  await cp(await installed, cwd, { recursive: true, verbatimSymlinks: true });
  return cwd;
}

async function installPacked(t: Pick<Test, 'teardown'>): Promise<string> {
  const cwd = await newFolder(t);
  await writeFile(join(cwd, 'package.json'), '{ "type": "module" }');
  const env = await startRegistry(t);
  const install = ['npm', 'install', '--silent', await packClient(t)];
  const { code, stdout, stderr } = await run(t, install, { cwd, env }).ended;
  if (code !== 0) throw new Error(`the TypeScript client was not installed: ${stdout}${stderr}`);
  return cwd;
}

/** Builds and packs the TypeScript client as for publishing. Resolves with the path of its tarball. */
async function packClient(t: Pick<Test, 'teardown'>): Promise<string> {
  const folder = await newFolder(t);
  const pack = ['npm', 'pack', '--silent', '--pack-destination', folder];
  const { code, stdout, stderr } = await run(t, pack, { cwd: clientFolder }).ended;
  if (code !== 0) throw new Error(`the TypeScript client was not packed: ${stdout}${stderr}`);
  return join(folder, stdout.trim().split('\n').at(-1) ?? '');
}

/**
 * A registry with nothing but the dependencies of the TypeScript client, in the versions that are installed
 * here. Resolves with the variables that npm needs to install from it.
 */
export async function startRegistry(
  t: Pick<Test, 'teardown'>,
): Promise<Readonly<Record<string, string>>> {
  const packages = new Map<string, Package>();
  await addPackages(
    packages,
    JSON.parse(await readFile(join(clientFolder, 'package.json'), 'utf8')),
  );
  const server = createServer(async (request, response) => {
    const asked = decodeURIComponent(request.url ?? '').slice(1);
    const [name = '', kind] = asked.split(/(\/-tarball)$/);
    const found = packages.get(name);
    if (found === undefined) response.writeHead(404).end('{}');
    else if (kind === undefined) response.end(JSON.stringify(documentOf(found, url())));
    else response.end(await tarballOf(name));
  });
  const url = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  t.teardown(() => new Promise((closed) => server.close(closed)));
  const cache = await newFolder(t);
  return {
    npm_config_registry: url(),
    npm_config_cache: cache,
    npm_config_update_notifier: 'false',
  };
}

interface Package {
  readonly name: string;
  readonly version: string;
  readonly dependencies?: Readonly<Record<string, string>>;
}

async function addPackages(
  packages: Map<string, Package>,
  { dependencies = {} }: Pick<Package, 'dependencies'>,
): Promise<void> {
  for (const name of Object.keys(dependencies)) {
    if (packages.has(name)) continue;
    const path = join(projectRoot, 'node_modules', name, 'package.json');
    const found: Package = JSON.parse(await readFile(path, 'utf8'));
    packages.set(name, found);
    await addPackages(packages, found);
  }
}

function documentOf(found: Package, url: string): object {
  const { name, version } = found;
  const dist = { tarball: `${url}/${name}/-tarball` };
  return {
    name,
    'dist-tags': { latest: version },
    versions: { [version]: { ...found, dist } },
  };
}

async function tarballOf(name: string): Promise<Buffer> {
  const folder = join(projectRoot, 'node_modules', name);
  const tar = ['-cz', '--transform', 's,^[.],package,', '-C', folder, '.'];
  const { stdout } = await execute('tar', tar, { encoding: 'buffer', maxBuffer: 100_000_000 });
  return stdout;
}
