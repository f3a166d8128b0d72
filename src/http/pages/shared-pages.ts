import { Refusal } from '../../domain/refusal.ts';
import { costOfHeaders } from '../limits/call-cost.ts';
import { drawBadge } from '../links/draw-badge.ts';
import { recordedWords } from '../links/recorded-words.ts';
import { findSharedProof, sharedBundle } from '../links/shared-proof.ts';
import { sharedPolicy } from './page-policy.ts';
import type { PageRoute } from './run-page.ts';
import { sharedFacts } from './shared-facts.ts';

/** No copy is kept anywhere, so that a withdrawal takes effect at once. */
const uncached = { 'Cache-Control': 'no-store' };
const unlisted = { 'X-Robots-Tag': 'noindex, nofollow, noarchive' };

/** Page of a proof that its owner shares. The browser verifies it; the service only states. */
export const sharedProofPage: PageRoute = {
  path: '/shared/:token',
  isLimited: true,
  handle: async ({ params: { token = '' }, headers }, deps) => {
    const shared = await findSharedProof(deps, token);
    const html = deps.pages.shared({ token, ...sharedFacts(shared) }, await deps.publicFacts());
    return {
      status: 200,
      headers: {
        ...uncached,
        ...(!shared.link.mayBeIndexed && unlisted),
        'Content-Type': 'text/html; charset=utf-8',
        'Content-Security-Policy': sharedPolicy(token, headers, deps.publicUrl()),
      },
      body: Buffer.from(html),
    };
  },
};

/** Badge of a shared proof. Other sites may show it, also after the link was withdrawn. */
export const sharedBadge: PageRoute = {
  path: '/shared/:token/badge.svg',
  isLimited: true,
  handle: async ({ params: { token = '' } }, deps) => {
    const words = await findSharedProof(deps, token).then(
      ({ proof }) => recordedWords(proof).badge,
      (error) => {
        if (error instanceof Refusal) return null;
        throw error;
      },
    );
    return {
      status: words === null ? 410 : 200,
      headers: {
        ...uncached,
        ...unlisted,
        'Content-Type': 'image/svg+xml; charset=utf-8',
        'Content-Security-Policy': "default-src 'none'; style-src 'none'; frame-ancestors 'none'",
        'Cross-Origin-Resource-Policy': 'cross-origin',
      },
      body: Buffer.from(drawBadge(words ?? 'no longer shared', words !== null)),
    };
  },
};

/** Bundle of a shared proof in its form for sharing, which the page verifies. */
export const sharedProofBundle: PageRoute = {
  path: '/shared/:token/bundle.json',
  isLimited: true,
  handle: async ({ params: { token = '' }, weigh }, deps) => {
    const shared = await findSharedProof(deps, token);
    const bundle = await sharedBundle(deps, shared, (headers) => weigh(costOfHeaders(headers)));
    const name = `proof-bundle-${shared.link.proofId}-shared.json`;
    return {
      status: 200,
      headers: {
        ...uncached,
        ...unlisted,
        'Content-Type': 'application/json',
        'Content-Disposition': `attachment; filename="${name}"`,
      },
      body: Buffer.from(bundle),
    };
  },
};
