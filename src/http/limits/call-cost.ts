import { maxJsonBytes } from '../receiving/body.ts';
import type { CallCost, RequestHead, RouteDescription } from '../route-description.ts';

/** Cost of the route's calls; null if each counts as one request. */
export function costOf(route: RouteDescription): CallCost | null {
  if (route.scope === null || 'form' in route) return null;
  const maxBytes = route.body?.maxBytes ?? maxJsonBytes;
  return route.cost ?? (maxBytes > maxJsonBytes ? bodyCost(maxBytes) : null);
}

/**
 * One request for each MB of the announced length, rounded up. A body without an announced length
 * counts as the largest one, so that omitting the length saves nothing. Node receives no more bytes
 * than announced.
 */
function bodyCost(maxBytes: number): CallCost {
  const most = Math.ceil(maxBytes / maxJsonBytes);
  return {
    description:
      `The call counts as one request for each MB of its \`Content-Length\`, rounded up (at most ${most}), ` +
      `and as ${most} without that header.`,
    of: ({ headers }) => {
      if (headers['transfer-encoding'] !== undefined) return most;
      return Math.min(most, costOfBytes(Number(headers['content-length'] ?? 0)));
    },
  };
}

/** One request for each MB, rounded up. */
export function costOfBytes(bytes: number): number {
  return Math.max(1, Math.ceil(bytes / maxJsonBytes));
}

/** Cost of reading data that may be large. The route's handler raises it by `costOfBytes`. */
export function sizeCost(what: string): CallCost {
  return {
    description: `The call counts as one request for each MB of ${what}, rounded up.`,
    of: () => 1,
  };
}

const documentsPerRequest = 100;
const passedPerRequest = 10_000;

/** Cost of a run with its documents. The route's handler raises it by `costOfRun`. */
export const runCost: CallCost = {
  description:
    'The call counts as one request for each MB of the stored run (11 for a report of 8 MB), rounded ' +
    `up, as one more for each ${documentsPerRequest} documents of the answer, and for each ` +
    `${passedPerRequest.toLocaleString('en')} documents of earlier pages.`,
  of: () => 1,
};

/** Cost of a run of so many bytes, with so many documents shown, and so many on earlier pages. */
export function costOfRun(
  bytes: number,
  { shown, passed }: { readonly shown: number; readonly passed: number },
): number {
  return (
    costOfBytes(bytes) +
    Math.floor(shown / documentsPerRequest) +
    Math.floor(passed / passedPerRequest)
  );
}

const headersPerRequest = 1_000;

/** Cost of a proof bundle. The route's handler raises it by `costOfHeaders`. */
export const headersCost: CallCost = {
  description:
    `The call counts as one request, and as one more for each ${headersPerRequest.toLocaleString('en')} ` +
    'ledger headers in the bundle. Most bundles have one.',
  of: () => 1,
};

/** Cost of a proof bundle with so many headers between its ledger and the signed one. */
export function costOfHeaders(headers: number): number {
  return 1 + Math.floor(headers / headersPerRequest);
}

const deliveriesPerRequest = 100;

/** Cost of sending deliveries again. The route's handler raises it by `costOfRetries`. */
export const retriesCost: CallCost = {
  description: `The call counts as one request, and as one more for each ${deliveriesPerRequest} deliveries that it sends again.`,
  of: () => 1,
};

/** Cost of sending so many deliveries again. */
export function costOfRetries(deliveries: number): number {
  return 1 + Math.floor(deliveries / deliveriesPerRequest);
}

const itemsPassedOver = 10_000;

/** Cost of a list whose query passes over all items before the page. */
export function deepPageCost(items: string): CallCost {
  return {
    description:
      `A page counts as one request, and as one more for each ${itemsPassedOver.toLocaleString('en')} ` +
      `${items} that come before it.`,
    of: ({ query: { page, limit } }) => {
      const before = (digits(page, 1) - 1) * digits(limit, 20);
      return Math.max(1, 1 + Math.floor(before / itemsPassedOver));
    },
  };
}

/**
 * Number in a query parameter; `absent` if missing or malformed. A malformed one is refused later.
 */
function digits(text: RequestHead['query'][string], absent: number): number {
  return typeof text === 'string' && /^\d{1,15}$/.test(text) ? Number(text) : absent;
}
