import { transactionHashInput } from '../proofs/transaction-hash.ts';
import { homePolicy, logPolicy, pagePolicy, referencePolicy } from './page-policy.ts';
import type { PageRoute } from './run-page.ts';
import { servePageFile } from './serve-page-file.ts';

/** Home page: introduction, links, and the facts by which people recognise this service. */
export const homePage: PageRoute = {
  path: '/',
  handle: async ({ headers }, { pages, publicUrl, publicFacts }) =>
    servePageFile(pages.home(await publicFacts()), headers, {
      policy: homePolicy(headers, publicUrl()),
    }),
};

/** Reference page: the OpenAPI document for people, with examples and calls. */
export const referencePage: PageRoute = {
  path: '/reference',
  handle: ({ headers }, { pages }) =>
    servePageFile(pages.reference(), headers, { policy: referencePolicy }),
};

/** Explorer of the published log, which verifies it in the browser. */
export const logPage: PageRoute = {
  path: '/log',
  handle: ({ headers }, { pages, publicUrl }) =>
    servePageFile(pages.log(), headers, { policy: logPolicy(headers, publicUrl()) }),
};

/** Verifies a file in the browser. */
export const verifyPage: PageRoute = {
  path: '/verify',
  handle: async ({ headers }, { pages, publicUrl, publicFacts }) =>
    servePageFile(pages.verify(0, await publicFacts()), headers, {
      policy: pagePolicy(headers, publicUrl()),
    }),
};

/**
 * Verifies one transaction in the browser. Certificates link here, and so does `verifyUrl` on the
 * standalone ledger.
 */
export const verifyTransactionPage: PageRoute = {
  path: '/verify/:txHash',
  handle: async ({ params, headers }, { pages, publicUrl, publicFacts }) => {
    const isHash = transactionHashInput.schema.safeParse(params).success;
    return servePageFile(pages.verify(1, await publicFacts()), headers, {
      status: isHash ? 200 : 400,
      policy: pagePolicy(headers, publicUrl()),
    });
  },
};
