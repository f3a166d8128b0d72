import { Refusal } from '../../domain/refusal.ts';
import { workerPolicy } from './page-policy.ts';
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

/** The verifier in one file, for people who verify without the service. */
export const verifierProgram: PageRoute = {
  path: '/verify.py',
  handle: (request, deps) => serve({ ...request, params: { name: 'verify.py' } }, deps),
};

/** A script of a package or of the domain. */
export const pageLibrary: PageRoute = { path: '/pages/:folder/:name', handle: serve };

/** A module that browsers share with the service. */
export const pageModule: PageRoute = { path: '/pages/:room/:folder/:name', handle: serve };
