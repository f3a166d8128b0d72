import type { DomainEvent } from '../../../src/domain/events.ts';
import { scopes } from '../../../src/domain/key/scope.ts';
import type { RunId } from '../../../src/domain/run/run-id.ts';
import { streams } from '../../../src/domain/streams.ts';
import type { KeyId, OrganisationId, WebhookId, WorkspaceId } from '../../../src/domain/ulid.ts';
import type { ListedOrganisation } from './listed-proofs.ts';
import { reportedRun } from './reported-runs.ts';
import { syntheticDigest } from './synthetic-digest.ts';

/** An event with its stream. */
export interface Placed {
  readonly stream: string;
  readonly event: DomainEvent;
}

const runsPerBlock = 3;
const decisionsPerRun = 20;
const blocksPerSeed = 1_000_000;

/** Some runs, a workspace, a key and an endpoint. */
export function rareOf(
  block: number,
  { organisationId, workspaceIds }: ListedOrganisation,
  seed: number,
): Placed[] {
  const number = seed * blocksPerSeed + block;
  const keyId = idOf<KeyId>('K', number);
  const webhookId = idOf<WebhookId>('H', number);
  return [
    workspace(organisationId, idOf<WorkspaceId>('W', number)),
    {
      stream: streams.key(keyId),
      event: {
        type: 'KeyIssued',
        data: {
          ...{
            keyId,
            organisationId,
            keyHash: syntheticDigest(keyId),
            displayPrefix: 'svc_live_abcd',
          },
          ...{ name: 'a key', scopes, agent: false, expiresAt: null },
          ...{ requestsPerMinute: null, requestsPerDay: null },
        },
      },
    },
    { stream: streams.key(keyId), event: { type: 'KeyRevoked', data: { keyId } } },
    {
      stream: streams.webhook(webhookId),
      event: {
        type: 'WebhookRegistered',
        data: {
          ...{ webhookId, organisationId, url: 'https://example.com/hook', description: null },
          ...{ events: ['proof.completed'], secret: 'whsec_c2VjcmV0' },
        },
      },
    },
    ...Array.from({ length: runsPerBlock }, (_, n) =>
      recordedRun(block * runsPerBlock + n, organisationId, workspaceIds),
    ),
  ];
}

function recordedRun(
  number: number,
  organisationId: OrganisationId,
  workspaceIds: readonly WorkspaceId[],
): Placed {
  const { workspace, ...run } = reportedRun(number, decisionsPerRun, workspaceIds);
  const workspaceId = workspace as WorkspaceId;
  const data = {
    ...run,
    ...{ organisationId, workspaceId, runId: run.runId as RunId, trigger: null, coverage: {} },
    ...{ connectorsReached: [], connectorsUnreachable: [], unreadableGroups: [], network: null },
    ...{ noOp: null, decisionsReported: decisionsPerRun, reportHash: syntheticDigest(run.runId) },
    reportsProtection: true,
  };
  // The decisions are JSON with known members.
  const event = { type: 'RunRecorded', data } as unknown as DomainEvent;
  return { stream: streams.run(organisationId, syntheticDigest(run.runId)), event };
}

export function workspace(organisationId: OrganisationId, workspaceId: WorkspaceId): Placed {
  const data = { workspaceId, organisationId, name: 'Workspace' };
  return { stream: streams.workspace(workspaceId), event: { type: 'WorkspaceCreated', data } };
}

function idOf<Id extends string>(kind: string, index: number): Id {
  return `01N${kind}${String(index).padStart(22, '0')}` as Id;
}
