import { Refusal } from '../../domain/refusal.ts';
import { workerPolicy } from '../page-policy.ts';
import type { PageRoute } from '../run-page.ts';
import { servePageFile } from '../serve-page-file.ts';

const serve: PageRoute['handle'] = async ({ params, headers }, { pages }) => {
  const { folder, name } = params;
  const file = pages.asset(folder === undefined ? `${name}` : `${folder}/${name}`);
  if (file === null) throw new Refusal('NOT_FOUND', 'there is nothing at this path');
  return servePageFile(file, headers, { policy: workerPolicy });
};

/** A script or style of the pages. */
export const pageAsset: PageRoute = { path: '/pages/:name', handle: serve };

/** A script that a package brings. */
export const pageLibrary: PageRoute = { path: '/pages/:folder/:name', handle: serve };
