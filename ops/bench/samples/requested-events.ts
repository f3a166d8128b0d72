import { randomBytes } from 'node:crypto';
import { ulid } from 'ulid';
import { commit } from '../../../src/domain/proof/commit.ts';
import type { Digest } from '../../../src/domain/proof/digest.ts';
import type { ProofRequested } from '../../../src/domain/proof/events.ts';
import { defaultHashScheme } from '../../../src/domain/proof/hash-scheme.ts';
import { streams } from '../../../src/domain/streams.ts';
import type { OrganisationId, ProofId, WorkspaceId } from '../../../src/domain/ulid.ts';
import type { StreamAppend } from '../../../src/event-store/event-store.ts';

const prepared = 1_024;

/**
 * Returns a function that gives the append of a ProofRequested to a new stream, as POST /proofs
 * makes it. Contents are prepared and reused in turn, so that callers spend no time on them; only
 * the ids are new.
 */
export function createRequestedEvents(organisationId: OrganisationId): () => StreamAppend {
  const workspaceId = ulid() as WorkspaceId;
  const contents = Array.from({ length: prepared }, (_, index) => request(index));
  const idEnd = ulid().slice(-16);
  let count = 0;
  return () => {
    const content = contents[count % prepared];
    if (content === undefined) throw new Error('unreachable');
    const proofId = `${String(count).padStart(10, '0')}${idEnd}` as ProofId;
    count += 1;
    const data = { ...content, proofId, organisationId, workspaceId };
    return {
      organisationId,
      stream: streams.proof(proofId),
      expectedVersion: 0,
      events: [{ type: 'ProofRequested', data }],
    };
  };
}

type Content = Omit<ProofRequested['data'], 'proofId' | 'organisationId' | 'workspaceId'>;

function request(index: number): Content {
  const fileHash = randomBytes(32).toString('hex') as Digest;
  const nonce = randomBytes(32).toString('hex');
  return {
    network: 'testnet',
    hashScheme: defaultHashScheme,
    commitment: commit(nonce, fileHash),
    fileHash,
    nonce,
    recordsDelivery: true,
    fileName: `contract-${index}-signed.pdf`,
    fileSizeBytes: 100_000 + index,
    mimeType: 'application/pdf',
    description: 'Framework agreement, signed by both parties',
    metadata: null,
    document: null,
  };
}
