import { z } from 'zod';
import {
  type ProofOrder,
  type RequestProofDeps,
  requestProof,
} from '../../commands/request-proof.ts';
import type { Network } from '../../domain/network.ts';
import { hashSchemes } from '../../domain/proof/hash-scheme.ts';
import { isVisible } from '../../domain/proof/state.ts';
import { Refusal } from '../../domain/refusal.ts';
import { proofResponse, proofStatusResponse } from '../../views/proof-schema.ts';
import { readProof } from '../../views/read-proof.ts';
import { digest, text, workspaceId } from '../fields.ts';
import { prefersAsync } from '../headers/prefer.ts';
import { defineRoute, type KeyedCall } from '../route.ts';
import { metadata, splitMetadata } from './metadata.ts';
import { type NonceOfferDeps, offerNonce } from './offer-nonce.ts';
import { answerQueued, answerWaited, type ProofAnswerDeps } from './proof-answers.ts';
import {
  completedProof,
  fileHash,
  knownProof,
  pendingStatus,
  workspace,
} from './proof-examples.ts';
import { type SettleDeps, settleProof } from './settle-proof.ts';

const body = z.object({
  hash: digest,
  workspace: workspaceId,
  fileName: text(255).optional(),
  fileSize: z.int().min(0).optional().meta({ description: 'bytes' }),
  mimeType: text(255).optional(),
  metadata: metadata.optional(),
  hashScheme: z
    .enum(hashSchemes)
    .optional()
    .meta({ description: 'default: the hash scheme of the organisation' }),
});
type Body = z.output<typeof body>;

/** Dependencies of requesting a proof, and of answering when it is settled. */
interface PostProofDeps
  extends Omit<RequestProofDeps, 'beforeCreation'>,
    SettleDeps,
    NonceOfferDeps,
    ProofAnswerDeps {
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
    const { meta, base } = call;
    const order = toOrder(call, deps);
    const beforeCreation = () => requireLedger(deps, order);
    const { proofId, created, state, opened } = await requestProof(
      { ...deps, beforeCreation },
      order,
      meta,
    );
    const { hashScheme } = order;
    const answer = { created, offer: offerNonce(deps, call, { proofId, hashScheme, created }) };
    if (state?.status === 'completed') return answerWaited(deps, state, answer);
    if (order.respondAsync) {
      const queued = state ?? (await readProof(deps, proofId));
      if (isVisible(queued)) return answerQueued(deps, base, queued, answer);
    }
    const { network } = state?.request ?? order;
    const settled = await settleProof(deps, { proofId, network, created, opened }, meta);
    return answerWaited(deps, settled, answer);
  },
});

/** Refuses a new proof that cannot be anchored within the wait. A queued one can wait. */
function requireLedger(
  { ledgerAbsence }: Pick<SettleDeps, 'ledgerAbsence'>,
  { respondAsync, network }: ProofOrder,
): void {
  if (respondAsync || !ledgerAbsence.isAway(network)) return;
  throw new Refusal(
    'XRPL_ERROR',
    'the ledger cannot be reached now, and nothing was recorded; post the hash again later',
  );
}

function toOrder(
  call: KeyedCall<unknown, unknown, Body>,
  deps: Pick<PostProofDeps, 'network'>,
): ProofOrder {
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
    ...splitMetadata(body.metadata),
    respondAsync: prefersAsync(headers.prefer?.toString()),
  };
}
