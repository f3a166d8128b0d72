import type { DomainEvent } from '../../src/domain/events.ts';
import { streams } from '../../src/domain/streams.ts';
import type { DocumentId, OrganisationId, ProofId, WorkspaceId } from '../../src/domain/ulid.ts';
import type { EventStore, StreamAppend } from '../../src/event-store/event-store.ts';
import { createListedProofs, type ListedOrganisation, type ListedProof } from './listed-proofs.ts';
import { digestOf, type Placed } from './placed-event.ts';
import { rareOf, workspace } from './rare-events.ts';

const proofsPerBlock = 500;
const sequencesAtOnce = 50;
const ledgerId = '1-4D5F0D1E2C3B4A59687786A5B4C3D2E1F00112233445566778899AABBCCDDEE';
const account = 'rBenchmark';

/**
 * Appends what a service in use has in its log, until that holds `events` of them: proofs of hashes
 * and, two in five, of stored documents, with all events of all their streams in the sizes that real
 * ones have; certificates of every tenth; and some runs of agents, workspaces, keys and endpoints. Of
 * each block of 500 proofs first the requests, then what follows them, as in life.
 */
export async function appendMixedLog(options: {
  readonly store: EventStore;
  readonly organisation: ListedOrganisation;
  readonly events: number;
  readonly onProgress: (appended: number) => void;
}): Promise<void> {
  const { store, organisation, events, onProgress } = options;
  const { organisationId } = organisation;
  await store.createKeys(organisationId);
  await store.append([...opening(organisation)].map(own(organisationId)), {});
  const proofs = createListedProofs(organisation, 1);
  const versions = new Map<string, number>();
  for (let block = 0; (await store.head()) < events; block += 1) {
    for (const round of roundsOf(block, organisation, proofs)) {
      const entries = [...Map.groupBy(round, ({ stream }) => stream)].map(([stream, all]) => {
        const expectedVersion = versions.get(stream) ?? 0;
        // Streams of one block only are forgotten below.
        versions.set(stream, expectedVersion + all.length);
        const clear = stream.startsWith('account-');
        return {
          organisationId: clear ? null : organisationId,
          stream,
          expectedVersion,
          events: all.map(({ event }) => event),
        };
      });
      await store.append(entries, { requestId: 'benchmark', actor: 'api' });
    }
    for (const stream of versions.keys()) {
      if (!/^(account|allowance)-/.test(stream)) versions.delete(stream);
    }
    if (block % 20 === 0) onProgress(await store.head());
  }
}

function own(organisationId: OrganisationId) {
  return ({ stream, event }: Placed): StreamAppend => {
    const isLedger = stream.startsWith('ledger-');
    const of = isLedger ? null : organisationId;
    return { organisationId: of, stream, expectedVersion: 0, events: [event] };
  };
}

function* opening({ organisationId, workspaceIds }: ListedOrganisation): Generator<Placed> {
  yield {
    stream: streams.organisation(organisationId),
    event: {
      type: 'OrganisationOpened',
      data: {
        ...{ organisationId, name: 'Benchmark', plan: 'enterprise', uploadAllowance: null },
        ...{ hashScheme: 'hmac-sha256-nonce-v3', requestsPerMinute: 60, requestsPerDay: 10_000 },
      },
    },
  };
  for (const workspaceId of workspaceIds) yield workspace(organisationId, workspaceId);
  yield {
    stream: streams.ledger(ledgerId),
    event: {
      type: 'LedgerJoined',
      data: {
        ...{ ledgerId, network: 'testnet', networkId: 1, standalone: false },
        ...{ index: 1, hash: 'A'.repeat(64), closeTime: 1 },
      },
    },
  };
}

function roundsOf(
  block: number,
  organisation: ListedOrganisation,
  proofs: (index: number) => ListedProof,
): readonly (readonly Placed[])[] {
  const first = block * proofsPerBlock;
  const made = Array.from({ length: proofsPerBlock }, (_, n) => proofs(first + n));
  const requested = made.flatMap((proof, n) => requestedOf(proof, organisation, first + n));
  const prepared = made.flatMap((proof) => ofType(proof, 'AnchorPrepared'));
  const anchored = made.flatMap((proof) => ofType(proof, 'Anchored'));
  return [
    requested,
    [...prepared, ...sequencesOf(prepared)],
    [...anchored, ...certificatesOf(anchored, organisation.organisationId)],
    rareOf(block, organisation),
  ];
}

function requestedOf(
  { proofId, stream, events }: ListedProof,
  { organisationId, workspaceIds }: ListedOrganisation,
  index: number,
): Placed[] {
  const workspaceId = workspaceIds[index % workspaceIds.length] as WorkspaceId;
  const hashes = streams.hash(workspaceId, digestOf(`hash ${index}`));
  const claimed: Placed = { stream: hashes, event: { type: 'HashClaimed', data: { proofId } } };
  return [
    ...events.flatMap((event): Placed[] => {
      if (event.type === 'ProofRequested') return [{ stream, event }, claimed];
      if (event.type !== 'DocumentStored') return [];
      const { documentId } = event.data;
      return [
        { stream: hashes, event: { type: 'HashStored', data: { documentId, proofId } } },
        { stream: streams.document(documentId as DocumentId), event },
        { stream, event: { type: 'ProofQueued', data: { reason: 'document' } } },
        {
          stream: streams.allowance(organisationId, '2026-01'),
          event: { type: 'UnitTaken', data: { documentId, used: index } },
        },
      ];
    }),
  ];
}

/** With the binary forms that the listing's own events lack, as long as real ones. */
function ofType({ stream, events }: ListedProof, type: 'AnchorPrepared' | 'Anchored'): Placed[] {
  return events.flatMap((event): Placed[] => {
    if (event.type !== type) return [];
    const binary = event.data.transactionHash;
    if (event.type === 'AnchorPrepared') {
      return [{ stream, event: { ...event, data: { ...event.data, blob: binary.repeat(9) } } }];
    }
    const forms = {
      ledgerHash: binary,
      metadata: binary.repeat(8),
      ledgerHeader: binary.repeat(4),
    };
    return [{ stream, event: { ...event, data: { ...event.data, ...forms } } }];
  });
}

function sequencesOf(prepared: readonly Placed[]): Placed[] {
  return Array.from({ length: Math.ceil(prepared.length / sequencesAtOnce) }, (_, n) => {
    const batch = prepared.slice(n * sequencesAtOnce, (n + 1) * sequencesAtOnce);
    const taken = batch.map(({ stream }, place) => {
      return { sequence: place, proofId: stream.slice('proof-'.length) as ProofId };
    });
    return {
      stream: streams.account(ledgerId, account),
      event: { type: 'SequencesTaken', data: { ledgerId, account, taken } },
    };
  });
}

function certificatesOf(anchored: readonly Placed[], organisationId: OrganisationId): Placed[] {
  return anchored.flatMap(({ stream }, n): Placed[] => {
    if (n % 10 !== 0) return [];
    const url = 'https://proofmark.example/verify/'.padEnd(97, 'A');
    const data = {
      ...{ templateVersion: 1, issuedAt: '2026-01-01T00:00:00.000Z', logSize: 1 },
      ...{ fileName: 'file.pdf', fileSizeBytes: 1, mimeType: 'application/pdf', revision: null },
      ...{ organisationName: 'Benchmark', workspaceName: 'Workspace', standalone: false },
      ...{ verifyUrl: url, publicApiUrl: url, explorerUrl: url, sizeBytes: 1 },
      blobKey: `${organisationId}/C${stream.slice('proof-'.length + 1)}`,
      ...{ pdfDigest: digestOf(stream), bundleDigest: digestOf(stream) },
    };
    // Its keys and digests are of their kinds by how they are made.
    return [{ stream, event: { type: 'CertificateIssued', data } as DomainEvent }];
  });
}
