import { Counter, Histogram, type Registry } from '@prometheus-io/client';
import type { HandledRequest } from './contract.ts';

export interface RequestMetrics {
  handled(request: HandledRequest): void;
}

const knownMethods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
/** Up to PROOF_WAIT_MS: posts wait for the ledger. */
const buckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 45];

/**
 * Latency and codes of requests. A label's values are those of our own tables: routes by pattern,
 * statuses, error codes; nothing that a caller can make up becomes a series.
 */
export function requestMetrics(registry: Registry): RequestMetrics {
  const registers = [registry];
  const seconds = new Histogram({
    name: 'proofmark_http_request_duration_seconds',
    help: 'From the head of a request to its answer; posts of proofs wait for the ledger',
    labelNames: ['method', 'route', 'status'],
    buckets,
    registers,
  });
  const errors = new Counter({
    name: 'proofmark_http_errors_total',
    help: 'Answers with an error body, by its code',
    labelNames: ['code'],
    registers,
  });
  const allowance = new Counter({
    name: 'proofmark_allowance_refusals_total',
    help: 'Uploads refused since the upload allowance of the month is used up',
    registers,
  });
  const limits = new Counter({
    name: 'proofmark_request_limit_refusals_total',
    help: 'Requests refused by the limits of their key or address',
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
