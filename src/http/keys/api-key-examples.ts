import type { ApiKeyView } from './api-key-view.ts';

export const apiKeyOrder = {
  name: 'sweeper',
  scopes: ['documents:write', 'certificates:read'],
  agent: true,
  expiresAt: '2027-11-21T00:00:00Z',
} as const;

export const apiKey: ApiKeyView = {
  id: '01M7XT9M1N2P3Q4R5S6T7V8W9X',
  prefix: 'svc_live_4Kd0',
  name: 'sweeper',
  scopes: [...apiKeyOrder.scopes],
  agent: true,
  status: 'valid',
  createdAt: '2026-11-21T01:05:00.000Z',
  expiresAt: '2027-11-21T00:00:00.000Z',
  lastUsedAt: null,
  requestsPerMinute: null,
  requestsPerDay: null,
  issuedBy: '01M7XT7V0YJ4K5M6N7P8Q9R0ST',
};
