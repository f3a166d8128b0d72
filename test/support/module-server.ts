import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize } from 'node:path';
import type { Test } from 'tap';

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
};

/**
 * Serves the files of a project and its packages for browsers. As development servers do, it resolves
 * names of packages in import statements: workers have no import maps.
 */
export async function serveModules(
  t: Pick<Test, 'teardown'>,
  folder: string,
): Promise<{ readonly url: string }> {
  const server = createServer(async (request, response) => {
    const path = normalize(new URL(request.url ?? '', 'http://localhost').pathname);
    const type = types[extname(path)] ?? 'text/plain';
    const text = await readFile(join(folder, path), 'utf8').catch(() => null);
    if (text === null) return void response.writeHead(404).end();
    const body = type.startsWith('text/javascript') ? await resolved(folder, text) : text;
    response.writeHead(200, { 'content-type': type }).end(body);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  t.teardown(async () => {
    server.closeAllConnections();
    await new Promise((closed) => server.close(closed));
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

async function resolved(folder: string, text: string): Promise<string> {
  const statement = /\b(from |import )(['"])((?:@[\w-]+\/)?[a-z][\w-]*)((?:\/[\w./-]+)?)\2/g;
  const places = new Map<string, string>();
  for (const [, , , name = '', path = ''] of text.matchAll(statement)) {
    places.set(name + path, await placeOf(folder, name, path));
  }
  return text.replace(
    statement,
    (_, word, quote, name, path) => `${word}${quote}${places.get(name + path)}${quote}`,
  );
}

/** Address of a package's module for browsers. */
async function placeOf(folder: string, name: string, path: string): Promise<string> {
  const base = join(folder, 'node_modules', name, 'package.json');
  const { exports, main } = JSON.parse(await readFile(base, 'utf8'));
  const place = moduleOf(exports?.[`.${path}`] ?? main);
  return `/node_modules/${join(name, place)}`;
}

function moduleOf(target: unknown): string {
  if (typeof target === 'string') return target;
  const { import: esm, default: other } = target as Readonly<Record<string, unknown>>;
  return moduleOf(esm ?? other);
}
