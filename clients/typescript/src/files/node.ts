import { ProofmarkError } from '../errors.ts';

/** Modules of Node that the client uses. Types only, so that browsers load none of them. */
interface NodeModules {
  readonly 'node:crypto': typeof import('node:crypto');
  readonly 'node:fs': typeof import('node:fs');
  readonly 'node:fs/promises': typeof import('node:fs/promises');
  readonly 'node:path': typeof import('node:path');
}

export const isNode: boolean =
  typeof process === 'object' && typeof process.versions?.node === 'string';

/** A module of Node. Rejects with INVALID_OPTION elsewhere: browsers have no paths of files. */
export async function nodeModule<Name extends keyof NodeModules>(
  name: Name,
): Promise<NodeModules[Name]> {
  if (!isNode) {
    throw new ProofmarkError('INVALID_OPTION', 'only Node has paths: give a File, Blob or stream');
  }
  // A name that bundlers do not see, so that they bundle for browsers without a substitute.
  return import(/* webpackIgnore: true */ /* @vite-ignore */ name);
}
