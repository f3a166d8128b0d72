import { Counter, Histogram, type Registry } from '@prometheus-io/client';
import type { HandledRequest } from './contract.ts';

export interface RequestMetrics {
  handled(request: HandledRequest): void;
}

const knownMethods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
/** Buckets in seconds, up to PROOF_WAIT_MS: posts wait for the ledger. */
const buckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 45];

/**
 * Latency and error codes of requests. All values of labels come from our own tables: patterns of
 * routes, statuses, error codes. A caller can therefore never create a new series.
 */
export function requestMetrics(registry: Registry): RequestMetrics {
  const registers = [registry];
  const seconds = new Histogram({
    name: 'proofmark_http_request_duration_seconds',
    help: 'Time from the headers of a request until its answer is ready to be sent; POST /proofs waits for the ledger',
    labelNames: ['method', 'route', 'status'],
    buckets,
    registers,
  });
  const errors = new Counter({
    name: 'proofmark_http_errors_total',
    help: 'Error answers, by error code',
    labelNames: ['code'],
    registers,
  });
  const allowance = new Counter({
    name: 'proofmark_allowance_refusals_total',
    help: 'Uploads refused because the uploads of the month or the storage of the organisation were used up',
    registers,
  });
  const limits = new Counter({
    name: 'proofmark_request_limit_refusals_total',
    help: 'Requests answered 429: a limit of the key, organisation or address, or too much at once',
    registers,
  });
  return {
    handled({ method, route, status, seconds: took, code }) {
      const labels = {
        method: knownMethods.has(method) ? method : 'other',
        route: route ?? 'none',
        status: String(status),
      };
      seconds.observe(labels, took);
      if (code === null) return;
      errors.inc({ code });
      if (code === 'ENTITLEMENT_EXCEEDED') allowance.inc();
      if (status === 429) limits.inc();
    },
  };
}
