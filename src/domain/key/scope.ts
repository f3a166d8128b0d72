import { Refusal } from '../refusal.ts';

/** Permissions of a key. Each route names the scope that it needs. */
export const scopes = [
  'documents:write',
  'documents:read',
  'certificates:read',
  'workspaces:read',
  'webhooks:manage',
  'api-keys:manage',
  'links:manage',
] as const;
export type Scope = (typeof scopes)[number];

/** Scopes that a key of an agent never carries, even on request. */
export const scopesBarredToAgents: readonly Scope[] = [
  'webhooks:manage',
  'api-keys:manage',
  'links:manage',
];

/**
 * Returns the scopes, each once, in the order of the list above. Refuses with INVALID_REQUEST an
 * empty list or an unknown scope.
 */
export function parseScopes(texts: readonly string[]): readonly Scope[] {
  const known: readonly string[] = scopes;
  const unknown = texts.filter((text) => !known.includes(text));
  if (unknown.length > 0 || texts.length === 0) {
    const what =
      unknown.length > 0
        ? `${JSON.stringify(unknown[0])} is not a scope`
        : 'must name at least one scope';
    throw new Refusal('INVALID_REQUEST', `scopes: ${what}; the scopes are ${scopes.join(', ')}`);
  }
  return scopes.filter((scope) => texts.includes(scope));
}
