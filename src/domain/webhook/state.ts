import type { Recorded } from '../event.ts';
import type { OrganisationId, WebhookId } from '../ulid.ts';
import type { WebhookEventKind } from './event-kind.ts';
import type { DisabledReason, WebhookEvent } from './events.ts';

/** An existing endpoint. Times are `YYYY-MM-DDTHH:MM:SS.sssZ`. */
interface Webhook {
  readonly webhookId: WebhookId;
  readonly organisationId: OrganisationId;
  readonly url: string;
  readonly events: readonly WebhookEventKind[];
  readonly description: string | null;
  readonly createdAt: string;
  /** Newest first. The first secret has no end. */
  readonly secrets: readonly WebhookSecret[];
  /** Number of changes, rotations and enablings since the registration. */
  readonly changes: number;
}

/** A secret (`whsec_…`), and the time until which it signs. */
interface WebhookSecret {
  readonly secret: string;
  readonly until: string | null;
}

export type WebhookState =
  | { readonly status: 'unknown' }
  | ({ readonly status: 'active' } & Webhook)
  | ({
      readonly status: 'disabled';
      readonly disabledAt: string;
      readonly reason: DisabledReason;
    } & Webhook)
  | {
      readonly status: 'deleted';
      readonly webhookId: WebhookId;
      readonly organisationId: OrganisationId;
    };

/** An endpoint that its owner can see. */
export type WebhookEndpoint = Extract<WebhookState, { status: 'active' | 'disabled' }>;

export const unknownWebhook: WebhookState = { status: 'unknown' };

/** Maximum number of signing secrets, however often they are rotated within one overlap. */
const maxSecrets = 5;

/**
 * Folds one event into the state. Throws if the event cannot follow, which is a defect. The
 * endpoint of an organisation whose keys were destroyed counts as deleted: nothing can be sent to
 * it.
 */
export function evolveWebhook(state: WebhookState, event: Recorded<WebhookEvent>): WebhookState {
  if (event.type === 'WebhookRegistered') return register(event);
  if (state.status === 'unknown') throw new Error(`${event.type} before WebhookRegistered`);
  const { webhookId, organisationId } = state;
  const deleted = { status: 'deleted', webhookId, organisationId } as const;
  if (state.status === 'deleted' || event.erased) return deleted;
  switch (event.type) {
    case 'WebhookChanged':
      return { ...state, ...event.data, changes: state.changes + 1 };
    case 'WebhookSecretRotated': {
      const secrets = rotate(state.secrets, event.data);
      return { ...state, secrets, changes: state.changes + 1 };
    }
    case 'WebhookDisabled': {
      const { reason } = event.data;
      return { ...state, status: 'disabled', disabledAt: event.recordedAt, reason };
    }
    case 'WebhookEnabled':
      return { ...webhookOf(state), status: 'active', changes: state.changes + 1 };
    case 'WebhookDeleted':
      return deleted;
  }
}

/** Secrets that sign at a moment, newest first. */
export function signingSecrets({ secrets }: Webhook, now: Date): readonly string[] {
  return secrets
    .filter(({ until }) => until === null || Date.parse(until) > now.getTime())
    .map(({ secret }) => secret);
}

function register(
  event: Extract<Recorded<WebhookEvent>, { type: 'WebhookRegistered' }>,
): WebhookState {
  const { secret, ...data } = event.data;
  if (event.erased) {
    const { webhookId, organisationId } = data;
    return { status: 'deleted', webhookId, organisationId };
  }
  const secrets = [{ secret, until: null }];
  return { status: 'active', ...data, createdAt: event.recordedAt, secrets, changes: 0 };
}

/** Adds the new secret and ends the previous ones. An earlier end is never postponed. */
function rotate(
  before: readonly WebhookSecret[],
  { secret, previousUntil }: { readonly secret: string; readonly previousUntil: string },
): readonly WebhookSecret[] {
  const ending = before.map((old) => ({
    secret: old.secret,
    until: old.until !== null && old.until < previousUntil ? old.until : previousUntil,
  }));
  return [{ secret, until: null }, ...ending].slice(0, maxSecrets);
}

function webhookOf(state: WebhookEndpoint): Webhook {
  const { webhookId, organisationId, url, events, description, createdAt, secrets, changes } =
    state;
  return { webhookId, organisationId, url, events, description, createdAt, secrets, changes };
}
