import type { DomainEvent } from '../../../src/domain/events.ts';
import { streams } from '../../../src/domain/streams.ts';
import type { DocumentId, OrganisationId, ProofId, WorkspaceId } from '../../../src/domain/ulid.ts';
import type { EventStore, StreamAppend } from '../../../src/event-store/event-store.ts';
import { openBenchLog } from '../harness/bench-log.ts';
import type { CleanUp } from '../harness/clean-up.ts';
import { round, timed } from '../harness/figures.ts';
import { progress } from '../harness/progress.ts';
import { ledgerId } from './anchor-events.ts';
import type { AnchorSigner } from './anchor-signer.ts';
import {
  createListedProofs,
  type ListedOrganisation,
  type ListedProof,
  newOrganisation,
} from './listed-proofs.ts';
import { type Placed, rareOf, workspace } from './rare-events.ts';
import { syntheticDigest } from './synthetic-digest.ts';

const proofsPerBlock = 500;
const sequencesAtOnce = 50;
const account = 'rBenchmark';

/** Opens a typical log with that many events; `appendSeconds` is the time to append them. */
export async function openFilledLog(cleanUp: CleanUp, events: number) {
  const log = await openBenchLog(cleanUp);
  const ms = await timed(() => appendMixedLog(log.store, newOrganisation(), events));
  await log.pool.query('VACUUM ANALYZE events');
  return { ...log, appendSeconds: round(ms / 1_000, 1) };
}

/** Appends typical events until the log holds `events` of them. */
async function appendMixedLog(
  store: EventStore,
  organisation: ListedOrganisation,
  events: number,
): Promise<void> {
  await store.createKeys(organisation.organisationId);
  const appends = mixedAppends({ organisation, seed: 1 });
  for (let head = 0, saidAt = 0; head < events; ) {
    await store.append(appends.next().value, meta);
    head = await store.head();
    if (head - saidAt < 50_000) continue;
    saidAt = head;
    progress(`Appended ${head} of ${events} events`);
  }
}

export const meta = { requestId: 'benchmark', actor: 'api' } as const;

interface MixedLog {
  readonly organisation: ListedOrganisation;
  readonly seed: number;
  /** False if the log has the ledger already. */
  readonly joinsLedger?: boolean;
  /** True if the log is for a service that runs: no proof is open, and no endpoint exists. */
  readonly isSettled?: boolean;
  /** Makes valid evidence of the anchors; absent: of the right size only. */
  readonly signer?: AnchorSigner;
}

/**
 * Typical appends of an organisation, without end. Two in five proofs are of stored documents, the
 * others of hashes alone. All events of all their streams have realistic sizes. Every tenth proof
 * has a certificate. Adds some runs of agents, workspaces, keys and endpoints. Appends first all
 * requests of a block of 500 proofs, then the later events, as in production.
 */
export function* mixedAppends(log: MixedLog): Generator<readonly StreamAppend[], never, void> {
  const { organisation, seed, joinsLedger = true, isSettled = false, signer = null } = log;
  const { organisationId } = organisation;
  const first = [...opening(organisation)].filter(
    ({ stream }) => joinsLedger || !stream.startsWith('ledger-'),
  );
  yield first.map(own(organisationId));
  const proofs = createListedProofs(organisation, seed, { allCompleted: isSettled });
  const versions = new Map<string, number>();
  for (let block = 0; ; block += 1) {
    for (const round of roundsOf(block, organisation, proofs, { seed, signer })) {
      const wanted = isSettled ? round.filter(({ stream }) => !/^webhook/.test(stream)) : round;
      yield [...Map.groupBy(wanted, ({ stream }) => stream)].map(([stream, all]) => {
        const expectedVersion = versions.get(stream) ?? 0;
        // Versions of streams that end with their block are deleted below.
        versions.set(stream, expectedVersion + all.length);
        const clear = stream.startsWith('account-');
        return {
          organisationId: clear ? null : organisationId,
          stream,
          expectedVersion,
          events: all.map(({ event }) => event),
        };
      });
    }
    for (const stream of versions.keys()) {
      if (!/^(account|allowance)-/.test(stream)) versions.delete(stream);
    }
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
  { seed, signer }: { readonly seed: number; readonly signer: AnchorSigner | null },
): readonly (readonly Placed[])[] {
  const first = block * proofsPerBlock;
  const made = Array.from({ length: proofsPerBlock }, (_, n) => proofs(first + n)).map((proof) => {
    return signer === null ? proof : anchoredBy(signer, proof);
  });
  const requested = made.flatMap((proof, n) => requestedOf(proof, organisation, first + n));
  const prepared = made.flatMap((proof) => ofType(proof, 'AnchorPrepared', signer === null));
  const anchored = made.flatMap((proof) => ofType(proof, 'Anchored', signer === null));
  return [
    requested,
    [...prepared, ...sequencesOf(prepared, `${account}${seed}`)],
    [...anchored, ...certificatesOf(anchored, organisation.organisationId)],
    rareOf(block, organisation, seed),
  ];
}

function requestedOf(
  { proofId, stream, events }: ListedProof,
  { organisationId, workspaceIds }: ListedOrganisation,
  index: number,
): Placed[] {
  const workspaceId = workspaceIds[index % workspaceIds.length] as WorkspaceId;
  const hashes = streams.hash(workspaceId, syntheticDigest(`hash ${index}`));
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
          event: { type: 'UnitTaken', data: { documentId, used: documentsBefore(index) + 1 } },
        },
      ];
    }),
  ];
}

/** Of every five proofs, the first two are of documents. */
function documentsBefore(index: number): number {
  return 2 * Math.floor(index / 5) + Math.min(2, index % 5);
}

/** The proof with valid evidence. */
function anchoredBy(signer: AnchorSigner, proof: ListedProof): ListedProof {
  const [requested] = proof.events;
  const commitment = requested?.type === 'ProofRequested' ? requested.data.commitment : null;
  const { prepared, anchored } = signer.anchor(commitment ?? '');
  const events = proof.events.map((event): DomainEvent => {
    if (event.type === 'AnchorPrepared') return { ...event, data: prepared };
    return event.type === 'Anchored' ? { ...event, data: anchored } : event;
  });
  return { ...proof, events };
}

/** Events of one type, with binary forms of realistic length added if they have none. */
function ofType(
  { stream, events }: ListedProof,
  type: 'AnchorPrepared' | 'Anchored',
  addsForms: boolean,
): Placed[] {
  return events.flatMap((event): Placed[] => {
    if (event.type !== type) return [];
    if (!addsForms) return [{ stream, event }];
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

function sequencesOf(prepared: readonly Placed[], account: string): Placed[] {
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
      ...{ verifyUrl: url, verifyPageUrl: url, publicApiUrl: url, explorerUrl: url, sizeBytes: 1 },
      blobKey: `${organisationId}/C${stream.slice('proof-'.length + 1)}`,
      ...{ pdfDigest: syntheticDigest(stream), bundleDigest: syntheticDigest(stream) },
      ...{ ledger: null, attestation: null },
    };
    // The data are not branded, but have the required form.
    return [{ stream, event: { type: 'CertificateIssued', data } as DomainEvent }];
  });
}
