// Generated from the OpenAPI document of the service: npm run client:typescript. Do not edit.
/** Paths at the root of the host; all others are below `/api/v1`. */
export const rootPaths: ReadonlySet<string> = new Set([
  "/api/public/verify/{txHash}",
  "/log/checkpoint",
  "/log/checkpoints",
  "/log/verifiers",
  "/log/leaves/{leafIndex}",
  "/log/proofs/{proofId}",
  "/log/certificates/{sha256}",
  "/log/tile/{tile}",
  "/healthz",
  "/readyz"
]);

/** Lists that come in pages, and the most items of a page. */
export const pagedLists: Readonly<Record<string, number>> = {
  "/documents": 100,
  "/agent/runs": 100,
  "/agent/decisions": 100,
  "/webhooks/{id}/deliveries": 100,
  "/api-keys": 100,
  "/log/checkpoints": 20
};
