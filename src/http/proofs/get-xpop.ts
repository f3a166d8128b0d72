import { z } from 'zod';
import { loadOwnProof } from '../../loading/load-own-proof.ts';
import type { ViewDeps } from '../../views/view-deps.ts';
import { viewXpop, xpopForms } from '../../views/view-xpop.ts';
import { proofId } from '../fields.ts';
import { attachment } from '../headers/content-disposition.ts';
import { defineOffloadedRoute } from '../route.ts';
import { exampleXpop, xpopResponse } from './xpop-schema.ts';

/** Verifying the signatures of 35 validators takes as long as some ordinary calls. */
const cost = 10;

export const getXpop = defineOffloadedRoute({
  operationId: 'getProofXpop',
  tag: 'Certificates',
  method: 'GET',
  path: '/proofs/:proofId/xpop',
  scope: 'certificates:read',
  isOffloaded: true,
  summary: 'The proof as an XPOP (XLS-41), for programs that others wrote',
  description:
    'An XPOP contains the transaction, the header of its ledger, the signatures of the validators and ' +
    'their published list. It proves the transaction to anybody who trusts the publisher of the list ' +
    '(`validation.unl.public_key`), without a server. It contains neither the nonce nor any data of ' +
    'the file. `409 PROOF_NOT_ATTESTED`: the signatures are not on record yet; repeat the call after ' +
    'a few seconds. `409 XPOP_NOT_POSSIBLE`: XLS-41 cannot express the evidence of this proof, which ' +
    'the proof bundle contains.',
  cost: { description: `The call counts as ${cost} requests.`, of: () => cost },
  params: { schema: z.object({ proofId }), refusals: { proofId: 'INVALID_PROOF_ID' } },
  query: {
    schema: z.object({
      form: z
        .enum(xpopForms)
        .default('list')
        .meta({
          description:
            'the form of transaction.proof: nested lists, or nodes with hash, key and children',
          examples: ['tree'],
        }),
    }),
  },
  responses: {
    200: {
      description: 'the XPOP',
      headers: ['Content-Disposition'],
      schema: xpopResponse,
      example: exampleXpop,
    },
  },
  refusals: [
    'INVALID_PROOF_ID',
    'PROOF_NOT_FOUND',
    'PROOF_NOT_ANCHORED',
    'PROOF_NOT_ATTESTED',
    'XPOP_NOT_POSSIBLE',
  ],
  handle: async ({ params, query, caller }, { store }: Pick<ViewDeps, 'store'>) => {
    const { organisationId } = caller;
    const proof = await loadOwnProof(store, { organisationId, proofId: params.proofId });
    const body = await viewXpop(store, proof, query.form);
    const name = `xpop-${params.proofId}.json`;
    return { status: 200, headers: { 'Content-Disposition': attachment(name) }, body };
  },
});
