import { resolve } from 'node:path';

/**
 * A path as the operator meant it: npm runs scripts in the project's folder, and tells where the operator
 * was in INIT_CWD.
 */
export function givenPath(path: string): string {
  const { npm_lifecycle_event: script, INIT_CWD: folder } = process.env;
  return script === 'ops' && folder !== undefined ? resolve(folder, path) : path;
}
