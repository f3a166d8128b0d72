import { OperatorError } from '../errors/operator-error.ts';
import { type Build, listBuilds } from './projection-builds.ts';
import { goLive, type Rebuilding, withRebuildLock } from './rebuild-projection.ts';

/** No earlier build is kept, or this program has another version and cannot fold it. */
export class NoRollback extends OperatorError {
  constructor(name: string, why: string) {
    super(`the projection ${name} cannot be rolled back: ${why}`);
  }
}

/**
 * Lets the kept build go live again, while the service runs. First folds it up to the position of
 * the live one, with this program's code. Keeps the replaced build. Rejects with `NoRollback` and
 * `RebuildUnderWay`.
 */
export async function rollbackProjection(
  rebuilding: Rebuilding,
): Promise<{ readonly build: number; readonly version: number; readonly position: number }> {
  const { db, projection } = rebuilding;
  const { name, version } = projection;
  return withRebuildLock(rebuilding, async () => {
    const builds = await listBuilds(db, name);
    const kept = builds.findLast(({ status }) => status === 'kept');
    if (kept === undefined) throw new NoRollback(name, 'no build before the live one is kept');
    if (kept.version !== version) {
      const why = `version ${kept.version} is kept; use the program that has it, and run that then`;
      throw new NoRollback(name, `this program has version ${version}, but ${why}`);
    }
    const position = await goLive(rebuilding, kept.build, { mayLead: isOther(builds, version) });
    return { build: kept.build, version, position };
  });
}

/**
 * True if the live build has another version. No process folds such a build once its program has
 * stopped.
 */
function isOther(builds: readonly Build[], version: number): boolean {
  return builds.some((build) => build.status === 'live' && build.version !== version);
}
