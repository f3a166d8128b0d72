import { type Binaries, provideBinaries } from './binaries.ts';
import { settings } from './settings.ts';
import type { SystemUser } from './system-user.ts';

/** A PostgreSQL that can be started: its programs, and the options of its clusters. */
export interface Distribution {
  /** The programs, executable by `user`. */
  provideBinaries(user: SystemUser | undefined, reachableDir: string): Promise<Binaries>;
  /** Locale and encoding of a new cluster, as arguments of initdb. */
  readonly initdbArguments: readonly string[];
  /** Settings by name, passed at every start. */
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
