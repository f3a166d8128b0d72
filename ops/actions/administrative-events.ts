import type { DomainEvent } from '../../src/domain/events.ts';

type EventType = DomainEvent['type'];

/** Types of events that record an administrative action, whoever took it. */
export const administrativeTypes: readonly EventType[] = [
  'OrganisationOpened',
  'PlanChanged',
  'OrganisationSuspended',
  'OrganisationResumed',
  'ApiAccessChanged',
  'UploadAllowanceChanged',
  'RequestLimitsChanged',
  'OrganisationLimitsChanged',
  'StorageAllowanceChanged',
  'OrganisationClosed',
  'OrganisationErased',
  'WorkspaceCreated',
  'WorkspaceRenamed',
  'PersonInvited',
  'PersonReinvited',
  'PersonRegistered',
  'PersonIdentified',
  'PersonRoleChanged',
  'PersonRemoved',
  'KeyIssued',
  'KeyRevoked',
  'WebhookRegistered',
  'WebhookChanged',
  'WebhookSecretRotated',
  'WebhookDisabled',
  'WebhookEnabled',
  'WebhookDeleted',
  'WebhookTestRequested',
  'WebhookRetryRequested',
  'WebhookRetriesRequested',
  'LinkCreated',
  'LinkWithdrawn',
  'AccountRetired',
  'LedgerRecognised',
  'LedgerGone',
  'LogOpened',
  'LogRestored',
  'LogReconciled',
];

/** Types of events that only keep the books of another event in the same append. */
export const bookkeepingTypes: readonly EventType[] = [
  'WorkspacePlaceTaken',
  'KeyPlaceTaken',
  'WebhookPlaceTaken',
  'WebhookPlaceFreed',
  'HashReleased',
  'UnitReturned',
];
