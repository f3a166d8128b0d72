import { Refusal } from '../../domain/refusal.ts';
import { serverPolicy, workerPolicy } from './page-policy.ts';
import type { PageRoute } from './run-page.ts';
import { servePageFile } from './serve-page-file.ts';

const serve: PageRoute['handle'] = async ({ params, headers }, { pages }) => {
  const { room, folder, name } = params;
  const file = pages.asset([room, folder, name].filter((part) => part !== undefined).join('/'));
  if (file === null) throw new Refusal('NOT_FOUND', 'there is nothing at this path');
  return servePageFile(file, headers, { policy: workerPolicy });
};

/** A script or style of the pages. */
export const pageAsset: PageRoute = { path: '/pages/:name', handle: serve };

/** The script that asks the ledger server in its query, and may connect to nothing else. */
export const serverWorker: PageRoute = {
  path: '/pages/server-worker.js',
  handle: async ({ headers, query }, { pages }) => {
    const file = pages.asset('server-worker.js');
    const policy = serverPolicy(query.get('server') ?? '');
    if (file === null || policy === null) {
      throw new Refusal('NOT_FOUND', 'there is no ledger server of this name');
    }
    return servePageFile(file, headers, { policy });
  },
};

/** The verifier in one file, for people who verify without the service. */
export const verifierProgram: PageRoute = {
  path: '/verify.py',
  handle: (request, deps) => serve({ ...request, params: { name: 'verify.py' } }, deps),
};

/** A script of a package or of the domain. */
export const pageLibrary: PageRoute = { path: '/pages/:folder/:name', handle: serve };

/** A module that browsers share with the service. */
export const pageModule: PageRoute = { path: '/pages/:room/:folder/:name', handle: serve };
