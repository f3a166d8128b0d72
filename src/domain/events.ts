import { type AccountEvent, accountEvents } from './account/events.ts';
import { type AllowanceEvent, allowanceEvents } from './allowance/events.ts';
import {
  type AttestationEvent,
  attestationEvents,
  type ValidatorEvent,
} from './attestation/events.ts';
import { type CertificateRecorded, certificateEvents } from './certificate/events.ts';
import { type DocumentEvent, documentEvents } from './document/events.ts';
import type { DefinitionsOf } from './event.ts';
import { type HashEvent, hashEvents } from './hash/events.ts';
import { type IssuerEvent, issuerEvents } from './issuer/events.ts';
import { type KeyEvent, type KeyPlaceEvent, keyEvents } from './key/events.ts';
import { type LedgerEvent, ledgerEvents } from './ledger/events.ts';
import { type LinkEvent, linkEvents } from './link/events.ts';
import { type LogEvent, logEvents } from './log/events.ts';
import { type TimestampEvent, timestampEvents } from './log/timestamp-events.ts';
import { type NonceEvent, nonceEvents } from './nonce/events.ts';
import { type OrganisationEvent, organisationEvents } from './organisation/events.ts';
import { type PersonEvent, personEvents } from './person/events.ts';
import { type ProofEvent, proofEvents } from './proof/events.ts';
import { publishedVerifierEvents, type VerifierPublished } from './published-verifier/events.ts';
import { type RunEvent, runEvents } from './run/events.ts';
import { type StorageEvent, storageEvents } from './storage/events.ts';
import {
  type WebhookEvent,
  type WebhookPlaceEvent,
  type WebhookSendingEvent,
  webhookEvents,
} from './webhook/events.ts';
import {
  type WorkspaceEvent,
  type WorkspacePlaceEvent,
  workspaceEvents,
} from './workspace/events.ts';

/** Every type of event in the log. */
export type DomainEvent =
  | AccountEvent
  | AllowanceEvent
  | AttestationEvent
  | CertificateRecorded
  | DocumentEvent
  | HashEvent
  | IssuerEvent
  | KeyEvent
  | KeyPlaceEvent
  | LedgerEvent
  | LinkEvent
  | LogEvent
  | NonceEvent
  | OrganisationEvent
  | PersonEvent
  | ProofEvent
  | RunEvent
  | StorageEvent
  | TimestampEvent
  | ValidatorEvent
  | VerifierPublished
  | WebhookEvent
  | WebhookPlaceEvent
  | WebhookSendingEvent
  | WorkspaceEvent
  | WorkspacePlaceEvent;

/** Storage of each type. A new event is added to its concept and here. */
export const eventDefinitions: DefinitionsOf<DomainEvent> = {
  ...accountEvents,
  ...allowanceEvents,
  ...attestationEvents,
  ...certificateEvents,
  ...documentEvents,
  ...hashEvents,
  ...issuerEvents,
  ...keyEvents,
  ...ledgerEvents,
  ...linkEvents,
  ...logEvents,
  ...nonceEvents,
  ...organisationEvents,
  ...personEvents,
  ...proofEvents,
  ...publishedVerifierEvents,
  ...runEvents,
  ...storageEvents,
  ...timestampEvents,
  ...webhookEvents,
  ...workspaceEvents,
};
