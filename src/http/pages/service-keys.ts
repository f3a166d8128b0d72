import type { PublicFacts } from './public-facts.ts';

/**
 * The published keys of this service as JSON in HTML, for the verifier of a page. Empty lists if they
 * are not known now.
 */
export function serviceKeysInHtml(facts: PublicFacts | null): string {
  const keys = {
    log: facts?.logKeys ?? [],
    issuer: (facts?.issuerKeys ?? []).map(({ key, compromisedSince }) => ({
      ...{ key, compromisedSince },
    })),
  };
  const json = JSON.stringify(keys).replaceAll('<', '\\u003c');
  return `<script type="application/json" id="service-keys">${json}</script>`;
}
