/**
 * True if the call may be sent again although it may have taken effect. A proof is identified by its
 * hash and workspace, a document by its bytes, and a run by its id: these are the idempotency keys,
 * and they are the same in each repetition. A revision is not identified: its bytes are compared with the
 * latest revision only. `path` is a template of the OpenAPI document.
 */
export function isIdempotent(method: string, path: string): boolean {
  return method !== 'POST' || identified.has(path);
}

const identified: ReadonlySet<string> = new Set([
  '/proofs',
  '/proofs/batch',
  '/proofs/lookup',
  '/documents',
  '/agent/runs',
]);
