import { z } from 'zod';
import { isCertified } from '../../domain/proof/state.ts';
import type { ProofId } from '../../domain/ulid.ts';
import type { EventStore } from '../../event-store/event-store.ts';
import { loadOwnProof } from '../../loading/load-own-proof.ts';
import {
  bundlePath,
  type CertificateData,
  certificateData,
  certificatePath,
  viewCertificates,
} from '../../views/certificate-view.ts';
import { success } from '../../views/output-fields.ts';
import { proofId } from '../fields.ts';
import { completedProof } from '../proofs/proof-examples.ts';
import { defineRoute } from '../route.ts';

const exampleId = completedProof.proofId as ProofId;

const firstCertificate: CertificateData = {
  number: 1,
  issuedAt: '2026-11-21T01:06:36.500Z',
  evidence: 'pending',
  successor: 2,
  sizeBytes: 61_120,
  pdfHash: '1b4f0e9851971998e732078544c96b36c3d01cedf7caa332359d6f1d83567014',
  bundleHash: '60303ae22b998861bce3b28f33eec1be758a213c86c93c076dbe9f558c11c752',
  certPath: certificatePath(exampleId, 1),
  bundlePath: bundlePath(exampleId, 1),
};

const successorCertificate: CertificateData = {
  number: 2,
  issuedAt: '2026-11-21T01:06:42.031Z',
  evidence: 'attested',
  successor: null,
  sizeBytes: 80_411,
  pdfHash: 'fd61a03af4f77d870fc21e05e7e80678095c92d808cfb3b5c279ee04c74aca13',
  bundleHash: 'a4e624d686e03ed2767c0abd85c14426b0b1157d2ce81d27bb4fe4f6f01d688a',
  certPath: certificatePath(exampleId, 2),
  bundlePath: bundlePath(exampleId, 2),
};

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
