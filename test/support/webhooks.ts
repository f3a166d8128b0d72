import { openOrganisation } from '../../src/commands/open-organisation.ts';
import type { registerWebhook, WebhookOrder } from '../../src/commands/register-webhook.ts';
import type { OrganisationId } from '../../src/domain/ulid.ts';
import type { EventStore } from '../../src/event-store/event-store.ts';
import { createTurns } from '../../src/event-store/handling/turns.ts';
import { testDeps } from './event-store.ts';
import { createScriptedDeliveries } from './scripted-deliveries.ts';

/** Advisory lock that a test holds until all its processes are ready. */
export const startLock = 4_711;

export const webhookMeta = { actor: 'api' } as const;

/** Dependencies of the commands on endpoints, in one process. */
export type WebhookDeps = Parameters<typeof registerWebhook>[0] & { readonly now: () => Date };

export function webhookDeps(store: EventStore): WebhookDeps {
  return { ...testDeps, store, turns: createTurns(), webhooks: createScriptedDeliveries() };
}

export function openWebhookOwner(store: EventStore): Promise<OrganisationId> {
  return openOrganisation({ ...testDeps, store }, { name: 'A', plan: 'professional' }, webhookMeta);
}

/** An order to register an endpoint. */
export function webhookOf(organisationId: OrganisationId): WebhookOrder {
  const url = 'https://hooks.example/in';
  return { organisationId, url, events: ['document.created'], description: null };
}
