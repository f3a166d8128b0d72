import { type Build, listBuilds } from './projection-builds.ts';
import { goLive, type Rebuilding, withRebuildLock } from './rebuild-projection.ts';

/** There is no build to go back to, or it is not for this program to fold. */
export class NoRollback extends Error {
  constructor(name: string, why: string) {
    super(`the projection ${name} cannot be rolled back: ${why}`);
    this.name = 'NoRollback';
  }
}

/**
 * Lets the build go live again that was kept when it was replaced, while the service runs: first it
 * is folded up to where the live one is, as this program does it. The one that was live is kept in
 * its place. Rejects with `NoRollback` and `RebuildUnderWay`.
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

/** Of another version, the live build is folded by nobody once the program that has it is gone. */
function isOther(builds: readonly Build[], version: number): boolean {
  return builds.some((build) => build.status === 'live' && build.version !== version);
}
