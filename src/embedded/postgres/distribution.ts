import { type Binaries, provideBinaries } from './binaries.ts';
import { settings } from './settings.ts';
import type { SystemUser } from './system-user.ts';

/** A PostgreSQL that can be started: its programs, and how its clusters are made and set. */
export interface Distribution {
  /** The programs, which `user` can run. */
  provideBinaries(user: SystemUser | undefined, reachableDir: string): Promise<Binaries>;
  /** Locale and encoding of a new cluster, as arguments of initdb. */
  readonly initdbArguments: readonly string[];
  /** Settings by name, given at every start. */
  readonly settings: Readonly<Record<string, string>>;
}

/** The PostgreSQL that npm installs. */
export const bundledPostgres: Distribution = {
  provideBinaries,
  initdbArguments: [
    '--encoding=UTF8',
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
  ],
  settings,
};
