import { Refusal } from '../refusal.ts';

/** What a key may do; each route names the one it needs. */
export const scopes = [
  'documents:write',
  'documents:read',
  'certificates:read',
  'workspaces:read',
  'webhooks:manage',
  'api-keys:manage',
] as const;
export type Scope = (typeof scopes)[number];

/** Scopes that a key of an agent never carries, whatever is asked for. */
export const scopesBarredToAgents: readonly Scope[] = ['webhooks:manage', 'api-keys:manage'];

/** At least one scope, all of them known; each once, in the order of the list above. */
export function parseScopes(texts: readonly string[]): readonly Scope[] {
  const known: readonly string[] = scopes;
  const unknown = texts.filter((text) => !known.includes(text));
  if (unknown.length > 0 || texts.length === 0) {
    const what = unknown.length > 0 ? `unknown ${JSON.stringify(unknown[0])}` : 'none was given';
    throw new Refusal('INVALID_REQUEST', `scopes: ${what}; there are ${scopes.join(', ')}`);
  }
  return scopes.filter((scope) => texts.includes(scope));
}
