import type { Scope } from '../../../domain/key/scope.ts';

/**
 * A command line that works with the new key: a call that its scopes permit, and that changes as
 * little as possible. `workspaceId` is a workspace of the organisation, or null.
 */
export function firstCall(
  apiUrl: string,
  key: string,
  {
    scopes,
    workspaceId,
  }: { readonly scopes: readonly Scope[]; readonly workspaceId: string | null },
): string {
  const authorization = `-H 'Authorization: Bearer ${key}'`;
  const reading = readings.find(([scope]) => scopes.includes(scope));
  if (reading !== undefined) return `curl -sS '${apiUrl}${reading[1]}' ${authorization}`;
  if (scopes.includes('documents:write') && workspaceId !== null) {
    const hash = `'"$(printf hello | sha256sum | cut -c1-64)"'`;
    const body = `{"hash":"${hash}","workspace":"${workspaceId}"}`;
    return `curl -sS '${apiUrl}/proofs' ${authorization} -H 'Content-Type: application/json' -d '${body}'`;
  }
  return `curl -sS '${apiUrl}/docs' ${authorization}`;
}

const readings: readonly (readonly [Scope, string])[] = [
  ['workspaces:read', '/workspaces'],
  ['documents:read', '/documents?limit=1'],
  ['api-keys:manage', '/api-keys?limit=1'],
  ['webhooks:manage', '/webhooks?limit=1'],
];
