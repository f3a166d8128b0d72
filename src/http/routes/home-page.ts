import { pagePolicy } from '../page-policy.ts';
import type { PageRoute } from '../run-page.ts';
import { servePageFile } from '../serve-page-file.ts';

/** What this is, and where to go from here. */
export const homePage: PageRoute = {
  path: '/',
  handle: ({ headers }, { pages, publicUrl }) =>
    servePageFile(pages.page('home', 0), headers, { policy: pagePolicy(headers, publicUrl()) }),
};
