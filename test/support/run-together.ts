import { globSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import tap from 'tap';
import { restartDraws } from './draw-cases.ts';
import { enterFile } from './file-tap.ts';

const root = resolve(import.meta.dirname, '../..');
const perFileMs = 800_000;

/**
 * Runs test files one after the other in this process, each as a subtest. Loading a service takes a file
 * that tests it longer than the tests do, so it is loaded once.
 * - `patterns`: relative to the checkout.
 */
export async function runTogether(...patterns: readonly string[]): Promise<void> {
  shareProcess();
  for (const file of globSync(patterns, { cwd: root }).toSorted()) {
    await tap.test(file, { timeout: perFileMs }, async (t) => {
      enterFile(t);
      restartDraws();
      await import(pathToFileURL(join(root, file)).href);
    });
  }
}

const verifying = /^@noble\/curves\/secp256k1\.js$|\/verify-ed25519\.ts$/;

/**
 * Gives test files, and the contracts that they share, the `tap` of file-tap.ts; and the verifier what
 * remembered-signatures.ts has.
 */
function shareProcess(): void {
  const remembered = pathToFileURL(join(import.meta.dirname, 'remembered-signatures.ts')).href;
  const verifiers = ['evidence/verify-signature.ts', 'log/check-signatures.ts'];
  const fileTap = pathToFileURL(join(import.meta.dirname, 'file-tap.ts')).href;
  const ofTests = `${pathToFileURL(root).href}/test/`;
  registerHooks({
    resolve(specifier, context, nextResolve) {
      const importer = context.parentURL ?? '';
      const isVerifier = verifiers.some((file) => importer.endsWith(`/src/verifier/${file}`));
      if (isVerifier && verifying.test(specifier)) return { url: remembered, shortCircuit: true };
      if (specifier !== 'tap' || !importer.startsWith(ofTests))
        return nextResolve(specifier, context);
      if (importer.startsWith(`${ofTests}support/`)) return nextResolve(specifier, context);
      return { url: fileTap, shortCircuit: true };
    },
  });
}
