import { createHash, randomBytes } from 'node:crypto';
import { ulid } from 'ulid';
import { createWorkspace } from '../../src/commands/create-workspace.ts';
import { openLog } from '../../src/commands/open-log.ts';
import { openOrganisation } from '../../src/commands/open-organisation.ts';
import type { DocumentOrder, UploadDeps } from '../../src/commands/store-document.ts';
import { blobKey } from '../../src/domain/blob/blob-key.ts';
import type { Digest } from '../../src/domain/proof/digest.ts';
import { streams } from '../../src/domain/streams.ts';
import type { OrganisationId, WorkspaceId } from '../../src/domain/ulid.ts';
import type { EventStore } from '../../src/event-store/event-store.ts';
import { createTurns } from '../../src/event-store/handling/turns.ts';
import { testDeps } from './event-store.ts';

export const uploadMeta = { actor: 'api' } as const;

/** An organisation with a workspace for uploads. */
export interface UploadSite {
  readonly deps: UploadDeps;
  readonly organisationId: OrganisationId;
  readonly workspaceId: WorkspaceId;
  /** An order with new bytes at a new key, with the test's changes. */
  order(of?: Partial<DocumentOrder>): DocumentOrder;
  /** Types and unit counts of this month's allowance events, oldest first. */
  units(): Promise<readonly string[]>;
}

export async function createUploadSite(
  store: EventStore,
  uploadAllowance: number | null = null,
): Promise<UploadSite> {
  const deps = uploadDeps(store);
  await openLog(deps, uploadMeta);
  const opened = { name: 'Acme', plan: 'professional', uploadAllowance } as const;
  const organisationId = await openOrganisation(deps, opened, uploadMeta);
  const workspaceId = await createWorkspace(deps, { organisationId, name: 'Archive' }, uploadMeta);
  return {
    deps,
    organisationId,
    workspaceId,
    order: (of = {}) => ({ ...uploadTo(organisationId, workspaceId), ...of }),
    async units() {
      const month = new Date().toISOString().slice(0, 7);
      const events = await store.readStream(streams.allowance(organisationId, month));
      return events.map(({ type, data }) => `${type} ${'used' in data ? data.used : ''}`);
    },
  };
}

/** Dependencies of uploads in one process. */
export function uploadDeps(store: EventStore): UploadDeps {
  return { ...testDeps, store, turns: createTurns() };
}

export function uploadTo(organisationId: OrganisationId, workspaceId: WorkspaceId): DocumentOrder {
  return {
    organisationId,
    workspaceId,
    network: 'testnet',
    hashScheme: 'hmac-sha256-nonce-v3',
    blobKey: blobKey(organisationId, ulid()),
    fileHash: createHash('sha256').update(randomBytes(32)).digest('hex') as Digest,
    fileName: 'Vertrag – Entwurf.pdf',
    fileSizeBytes: 1_234,
    mimeType: 'application/pdf',
    description: null,
    classification: null,
  };
}
