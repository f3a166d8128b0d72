import { pagePolicy } from '../page-policy.ts';
import type { PageRoute } from '../run-page.ts';
import { servePageFile } from '../serve-page-file.ts';
import { transactionHashInput } from '../transaction-hash.ts';

/** Verifies a file in the browser. */
export const verifyPage: PageRoute = {
  path: '/verify',
  handle: ({ headers }, { pages, publicUrl }) =>
    servePageFile(pages.page('verify', 0), headers, { policy: pagePolicy(headers, publicUrl()) }),
};

/** The same for one transaction: where certificates and, on the standalone ledger, `verifyUrl` point. */
export const verifyTransactionPage: PageRoute = {
  path: '/verify/:txHash',
  handle: ({ params, headers }, { pages, publicUrl }) => {
    const isHash = transactionHashInput.schema.safeParse(params).success;
    return servePageFile(pages.page('verify', 1), headers, {
      status: isHash ? 200 : 400,
      policy: pagePolicy(headers, publicUrl()),
    });
  },
};

/** As people type it. Relative, so that it also holds below a path of a proxy. */
export const verifyPageSlash: PageRoute = {
  path: '/verify/',
  handle: async () => ({ status: 308, headers: { Location: '../verify' }, body: null }),
};
