import { posix } from 'node:path';
import { findBrowserModules } from '../../src/http/pages/browser-modules.ts';

/** Modules that pages may load, by their path below `/pages/`. */
export const pageModules: ReadonlyMap<string, Buffer> = new Map(
  [...findBrowserModules()].map(([path, read]) => [path, read()]),
);

/** The verifier of validators' signatures, which `/verify` loads once it works. */
export const signatureVerifier = 'verifier/check/attested-anchor.js';

/** Modules that scripts need, without those that they import later. */
export function neededBy(...scripts: readonly string[]): ReadonlySet<string> {
  const needed = new Set<string>();
  const todo = [...scripts];
  for (let path = todo.pop(); path !== undefined; path = todo.pop()) {
    if (needed.has(path)) continue;
    needed.add(path);
    const text =
      pageModules
        .get(path)
        ?.toString()
        .replace(/\/\*[\s\S]*?\*\//g, '') ?? '';
    for (const [, name = ''] of text.matchAll(/^(?:import|export)\s[^;]*?['"](\.[^'"]+)['"]/gm)) {
      todo.push(posix.join(posix.dirname(path), name));
    }
  }
  return needed;
}

/** Modules that `/verify` waits for. */
export const neededByVerify = neededBy('verify.js', 'reading-worker.js');
