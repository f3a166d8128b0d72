import { z } from 'zod';
import type { Digest } from '../../domain/proof/digest.ts';
import type { VisibleProof } from '../../domain/proof/state.ts';
import type { EventStore } from '../../event-store/event-store.ts';
import { loadClaims } from '../../loading/load-claims.ts';
import { requireWorkspace } from '../../loading/require-workspace.ts';
import { id, lowerHex, success, time, transactionHash } from '../../views/output-fields.ts';
import { digest, workspaceId } from '../fields.ts';
import { defineOffloadedRoute } from '../route.ts';
import { maxItems } from './batch-items.ts';
import { completedProof, fileHash, otherFileHash, workspace } from './proof-examples.ts';

const knownHash = z
  .object({
    hash: lowerHex,
    proven: z.boolean().meta({ description: 'true if the proof is completed' }),
    proofId: id.nullable().meta({ description: 'null: nobody has posted the hash' }),
    blockchainStatus: z
      .enum(['pending', 'processing', 'completed'])
      .nullable()
      .meta({ description: 'as in the status of a proof; null without a proof' }),
    txHash: transactionHash
      .nullable()
      .meta({ description: 'null without a proof, and while it is pending' }),
    timestamp: time
      .nullable()
      .meta({ description: 'close time of the ledger; null until the proof is completed' }),
  })
  .meta({ id: 'KnownHash', description: 'A hash, and its proof in the workspace.' });

type KnownHash = z.infer<typeof knownHash>;

const wrongCount = `must have 1 to ${maxItems} hashes`;

export const postLookup = defineOffloadedRoute({
  operationId: 'lookUpProofs',
  tag: 'Proofs',
  method: 'POST',
  path: '/proofs/lookup',
  scope: 'documents:read',
  isOffloaded: true,
  summary: `Tells which of up to ${maxItems.toLocaleString('en')} hashes are proven in a workspace`,
  description:
    'Records nothing, and counts as one request. The results are in the order of the hashes. They ' +
    'include everything that was answered before the call began.',
  body: {
    schema: z.object({
      workspace: workspaceId,
      hashes: z.array(digest).min(1, { error: wrongCount }).max(maxItems, { error: wrongCount }),
    }),
    refusals: { workspace: 'INVALID_WORKSPACE' },
    example: { workspace, hashes: [fileHash, otherFileHash] },
  },
  responses: {
    200: {
      description: 'one result per hash, in their order',
      schema: z.object({ success, data: z.array(knownHash) }),
      example: {
        success: true,
        data: [
          {
            hash: fileHash,
            proven: true,
            proofId: completedProof.proofId,
            blockchainStatus: 'completed',
            txHash: completedProof.txHash,
            timestamp: completedProof.timestamp,
          },
          {
            hash: otherFileHash,
            proven: false,
            proofId: null,
            blockchainStatus: null,
            txHash: null,
            timestamp: null,
          },
        ],
      },
    },
  },
  refusals: ['INVALID_WORKSPACE'],
  handle: async ({ body, caller }, { store }: { readonly store: EventStore }) => {
    const { organisationId } = caller;
    const { hashes, workspace: workspaceId } = body;
    await requireWorkspace(store, { organisationId, workspaceId });
    const proofs = await loadClaims(store, { organisationId, workspaceId }, [...new Set(hashes)]);
    const data = hashes.map((hash) => viewKnown(hash, proofs.get(hash)));
    return { status: 200, body: { success: true, data } };
  },
});

function viewKnown(hash: Digest, state: VisibleProof | undefined): KnownHash {
  const anchor = state?.status === 'completed' ? state.anchor : null;
  return {
    hash,
    proven: anchor !== null,
    proofId: state?.request.proofId ?? null,
    blockchainStatus: state?.status ?? null,
    txHash:
      state === undefined || state.status === 'pending' ? null : state.prepared.transactionHash,
    timestamp: anchor?.closeTimeIso ?? null,
  };
}
