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
