import { z } from 'zod';
import { proofId } from '../fields.ts';
import { attachment } from '../headers/content-disposition.ts';
import { entityTag, isHeld, notModified, notModifiedResponse } from '../headers/entity-tag.ts';
import { defineRoute } from '../route.ts';
import { type CertificateDeps, issuedCertificate } from './issued-certificate.ts';
import { readCertificate } from './read-certificate.ts';

export const getCertificate = defineRoute({
  operationId: 'getCertificate',
  tag: 'Certificates',
  method: 'GET',
  path: '/certificates/:proofId',
  scope: 'certificates:read',
  summary: 'The certificate of a proof: a PDF that anybody can check; its bytes never change',
  headers: ['If-None-Match'],
  params: { schema: z.object({ proofId }), refusals: { proofId: 'INVALID_PROOF_ID' } },
  responses: {
    200: {
      description:
        'the PDF with the proof bundle attached; for a salted proof it contains the confidential nonce',
      headers: ['ETag', 'Content-Disposition'],
      mediaType: 'application/pdf',
      example: '%PDF-1.7',
    },
    304: notModifiedResponse,
  },
  refusals: ['INVALID_PROOF_ID', 'PROOF_NOT_FOUND', 'PROOF_NOT_ANCHORED'],
  handle: async (call, deps: CertificateDeps) => {
    const proof = await issuedCertificate(deps, call);
    const { pdfDigest } = proof.certificate;
    const ETag = entityTag(pdfDigest);
    if (isHeld(call.headers['if-none-match'], ETag)) return notModified({ ETag });
    return {
      status: 200,
      headers: {
        'Content-Type': 'application/pdf',
        'Content-Disposition': attachment(`certificate-${call.params.proofId}.pdf`),
        ETag,
      },
      body: await readCertificate(deps, proof),
    };
  },
});
