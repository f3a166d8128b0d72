import { z } from 'zod';
import { isCertified } from '../../domain/proof/state.ts';
import type { EventStore } from '../../event-store/event-store.ts';
import { loadOwnProof } from '../../loading/load-own-proof.ts';
import { certificateData, viewCertificates } from '../../views/certificate-view.ts';
import { success } from '../../views/output-fields.ts';
import { proofId } from '../fields.ts';
import { defineRoute } from '../route.ts';
import { firstCertificate, successorCertificate } from './certificate-examples.ts';

export const listCertificates = defineRoute({
  operationId: 'listCertificates',
  tag: 'Certificates',
  method: 'GET',
  path: '/proofs/:proofId/certificates',
  scope: 'certificates:read',
  summary: 'The certificates of a proof that were issued so far, the first one first',
  params: { schema: z.object({ proofId }), refusals: { proofId: 'INVALID_PROOF_ID' } },
  responses: {
    200: {
      description: 'the certificates; none before the first request for one',
      schema: z.object({ success, data: z.array(certificateData) }),
      example: { success: true, data: [firstCertificate, successorCertificate] },
    },
  },
  refusals: ['INVALID_PROOF_ID', 'PROOF_NOT_FOUND'],
  handle: async ({ params, caller }, { store }: { readonly store: EventStore }) => {
    const { organisationId } = caller;
    const proof = await loadOwnProof(store, { organisationId, proofId: params.proofId });
    const data = isCertified(proof) ? viewCertificates(proof) : [];
    return { status: 200, body: { success: true, data } };
  },
});
