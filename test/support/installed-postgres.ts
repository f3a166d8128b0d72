import { probe } from '../../src/embedded/postgres/binaries.ts';
import type { Distribution } from '../../src/embedded/postgres/distribution.ts';

/**
 * The PostgreSQL whose programs are in `bin`, such as /usr/lib/postgresql/15/bin. It keeps its own
 * defaults, like an operator's server.
 */
export function installedPostgres(bin: string): Distribution {
  return {
    async provideBinaries(user) {
      const found = await probe(bin, user);
      if (found.binaries !== undefined) return found.binaries;
      const asWhom = user === undefined ? '' : ` as ${user.name}`;
      throw new Error(`POSTGRES_BIN: ${bin}/postgres cannot be run${asWhom} (${found.reason})`);
    },
    initdbArguments: ['--encoding=UTF8', '--locale=C.UTF-8'],
    settings: { listen_addresses: '127.0.0.1', unix_socket_directories: '' },
  };
}
