import { referencePolicy } from '../page-policy.ts';
import type { PageRoute } from '../run-page.ts';
import { servePageFile } from '../serve-page-file.ts';

/** The OpenAPI document for people. */
export const referencePage: PageRoute = {
  path: '/reference',
  handle: ({ headers }, { pages, publicUrl }) =>
    servePageFile(pages.page('reference', 0), headers, {
      policy: referencePolicy(headers, publicUrl()),
    }),
};
