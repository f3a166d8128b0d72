import { z } from 'zod';
import type { Network } from '../../domain/network.ts';
import { proofResponse, proofStatusResponse } from '../../views/proof-schema.ts';
import { workspaceId } from '../fields.ts';
import { prefersAsync } from '../headers/prefer.ts';
import { defineRoute } from '../route.ts';
import { type BeginProofDeps, beginProof } from './begin-proof.ts';
import {
  completedProof,
  fileHash,
  knownProof,
  pendingStatus,
  workspace,
} from './proof-examples.ts';
import { proofMembers, toOrder } from './proof-members.ts';

const { hash, ...others } = proofMembers;
const body = z.object({ hash, workspace: workspaceId, ...others });

/** Dependencies of requesting a proof, and of answering when it is settled. */
interface PostProofDeps extends BeginProofDeps {
  /** Network for new proofs. */
  readonly network: Network;
}

export const postProof = defineRoute({
  operationId: 'createProof',
  tag: 'Proofs',
  method: 'POST',
  path: '/proofs',
  scope: 'documents:write',
  awaitsProof: true,
  summary: 'Proves a file by its hash',
  description:
    'Only the SHA-256 is sent, never the file. The call is idempotent by hash and workspace: a hash ' +
    'that is already proven in the workspace is answered with 200 and the original proof. If no ' +
    'caller has received its nonce, such as after a broken connection, that answer has it. The call ' +
    'answers when the ledger has validated the proof. `502 XRPL_ERROR`: the attempt was rolled back; ' +
    'post the hash again after Retry-After seconds. While the ledger is away, this is answered at ' +
    'once. `502 PROOF_NOT_RECORDED`: the proof may be on the ledger and is settled without another ' +
    'call; post the same hash later to get the result.',
  headers: ['Prefer'],
  body: {
    schema: body,
    refusals: { hash: 'INVALID_HASH', workspace: 'INVALID_WORKSPACE' },
    example: {
      hash: fileHash,
      workspace,
      fileName: 'proofmark.txt',
      fileSize: 10,
      metadata: { description: 'the first page', caseNumber: '2026-114' },
    },
    // The metadata is given back as it was sent.
    exactly: true,
  },
  responses: {
    201: {
      description: 'created and anchored',
      schema: proofResponse,
      example: { success: true, data: completedProof },
    },
    200: {
      description: 'already proven in the workspace: the original proof',
      schema: proofResponse,
      example: { success: true, alreadyProven: true, data: knownProof },
    },
    202: {
      description: 'queued, as requested by Prefer: respond-async',
      headers: ['Location', 'Preference-Applied'],
      schema: proofStatusResponse,
      example: { success: true, data: pendingStatus },
    },
  },
  refusals: ['INVALID_HASH', 'INVALID_WORKSPACE', 'XRPL_ERROR', 'PROOF_NOT_RECORDED'],
  handle: async (call, deps: PostProofDeps) => {
    const { body, caller, headers } = call;
    const { workspace } = body;
    const respondAsync = prefersAsync(headers.prefer?.toString());
    const order = toOrder(body, { workspace, caller, network: deps.network, respondAsync });
    const answer = await beginProof(deps, call, order);
    return answer();
  },
});
