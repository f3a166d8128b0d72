import { transactionHashInput } from '../proofs/transaction-hash.ts';
import { pagePolicy, referencePolicy } from './page-policy.ts';
import type { PageRoute } from './run-page.ts';
import { servePageFile } from './serve-page-file.ts';

/** Home page: introduction and links. */
export const homePage: PageRoute = {
  path: '/',
  handle: ({ headers }, { pages, publicUrl }) =>
    servePageFile(pages.page('home', 0), headers, { policy: pagePolicy(headers, publicUrl()) }),
};

/** Reference page: the OpenAPI document for people. */
export const referencePage: PageRoute = {
  path: '/reference',
  handle: ({ headers }, { pages, publicUrl }) =>
    servePageFile(pages.page('reference', 0), headers, {
      policy: referencePolicy(headers, publicUrl()),
    }),
};

/** Verifies a file in the browser. */
export const verifyPage: PageRoute = {
  path: '/verify',
  handle: ({ headers }, { pages, publicUrl }) =>
    servePageFile(pages.page('verify', 0), headers, { policy: pagePolicy(headers, publicUrl()) }),
};

/**
 * Verifies one transaction in the browser. Certificates link here, and so does `verifyUrl` on the
 * standalone ledger.
 */
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
