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
