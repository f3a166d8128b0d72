import { resolve } from 'node:path';

/**
 * Resolves a path from the operator's folder. npm runs scripts in the project's folder, and puts
 * the operator's folder into INIT_CWD.
 */
export function givenPath(path: string): string {
  const { npm_lifecycle_event: script, INIT_CWD: folder } = process.env;
  return script === 'ops' && folder !== undefined ? resolve(folder, path) : path;
}
