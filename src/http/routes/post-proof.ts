import { z } from 'zod';
import { type ProofOrder, requestProof } from '../../commands/request-proof.ts';
import { hashSchemes } from '../../domain/proof/hash-scheme.ts';
import { isVisible } from '../../domain/proof/state.ts';
import type { EventMeta } from '../../event-store/stored-event.ts';
import {
  completedProof,
  fileHash,
  knownProof,
  pendingStatus,
  workspace,
} from '../examples/proof-examples.ts';
import { digest, text, workspaceId } from '../fields.ts';
import { prefersAsync } from '../prefer.ts';
import { answerQueued, answerWaited } from '../proof-answers.ts';
import { proofResponse, proofStatusResponse } from '../proof-schema.ts';
import { readProof } from '../read-proof.ts';
import { defineRoute, type KeyedCall } from '../route.ts';
import type { RouteDeps } from '../route-deps.ts';
import { settleProof } from '../settle-proof.ts';

const body = z.object({
  hash: digest,
  workspace: workspaceId,
  fileName: text(255).optional(),
  fileSize: z.int().min(0).optional().meta({ description: 'bytes' }),
  mimeType: text(255).optional(),
  metadata: z.object({ description: text(500).optional() }).optional(),
  hashScheme: z.enum(hashSchemes).optional().meta({ description: "default: the organisation's" }),
});
type Body = z.output<typeof body>;

export const postProof = defineRoute({
  operationId: 'createProof',
  tag: 'Proofs',
  method: 'POST',
  path: '/proofs',
  scope: 'documents:write',
  awaitsProof: true,
  summary: 'Proves a file by its hash',
  description:
    'Only the SHA-256 is sent, never the file. Idempotent by hash and workspace: a hash that is proven ' +
    'there already gives the original proof, 200. The call answers when the ledger has validated the ' +
    'proof. `502 XRPL_ERROR`: rolled back, post it again. `502 PROOF_NOT_RECORDED`: it may be on the ' +
    'ledger and is settled without you; post the hash again later to join it.',
  headers: ['Prefer'],
  body: {
    schema: body,
    refusals: { hash: 'INVALID_HASH', workspace: 'INVALID_WORKSPACE' },
    example: { hash: fileHash, workspace, fileName: 'proofmark.txt', fileSize: 10 },
  },
  responses: {
    201: {
      description: 'created and anchored',
      schema: proofResponse,
      example: { success: true, data: completedProof },
    },
    200: {
      description: 'already proven: the original proof',
      schema: proofResponse,
      example: { success: true, alreadyProven: true, data: knownProof },
    },
    202: {
      description: 'queued, as Prefer: respond-async asks for',
      headers: ['Location', 'Preference-Applied'],
      schema: proofStatusResponse,
      example: { success: true, data: pendingStatus },
    },
  },
  refusals: ['INVALID_HASH', 'INVALID_WORKSPACE', 'XRPL_ERROR', 'PROOF_NOT_RECORDED'],
  handle: async (call, deps) => {
    const { requestId, caller, base } = call;
    const meta: EventMeta = { requestId, keyId: caller.keyId, actor: 'api' };
    const order = toOrder(call, deps);
    const { proofId, created, state } = await requestProof(deps, order, meta);
    if (state?.status === 'completed') return answerWaited(deps, state, created);
    if (order.respondAsync) {
      const queued = state ?? (await readProof(deps, proofId));
      if (isVisible(queued)) return answerQueued(deps, base, queued, created);
    }
    return answerWaited(deps, await settleProof(deps, proofId, meta), created);
  },
});

function toOrder(call: KeyedCall<unknown, unknown, Body>, deps: RouteDeps): ProofOrder {
  const { body, caller, headers } = call;
  return {
    organisationId: caller.organisationId,
    workspaceId: body.workspace,
    network: deps.network,
    hashScheme: body.hashScheme ?? caller.organisation.hashScheme,
    fileHash: body.hash,
    fileName: body.fileName ?? null,
    fileSizeBytes: body.fileSize ?? null,
    mimeType: body.mimeType ?? null,
    description: body.metadata?.description ?? null,
    respondAsync: prefersAsync(headers.prefer?.toString()),
  };
}
