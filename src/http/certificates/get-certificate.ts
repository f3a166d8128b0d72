import { z } from 'zod';
import { certificatePath } from '../../views/certificate-view.ts';
import { proofId } from '../fields.ts';
import { attachment } from '../headers/content-disposition.ts';
import { entityTag, isHeld, notModified, notModifiedResponse } from '../headers/entity-tag.ts';
import { defineRoute } from '../route.ts';
import {
  type CertificateDeps,
  certificateNumber,
  servedCertificate,
} from './issued-certificate.ts';
import { readCertificate } from './read-certificate.ts';

export const getCertificate = defineRoute({
  operationId: 'getCertificate',
  tag: 'Certificates',
  method: 'GET',
  path: '/certificates/:proofId',
  scope: 'certificates:read',
  summary:
    'The newest certificate of a proof, or the one of the number: a PDF that anybody can check',
  description:
    'The bytes of a certificate never change. A certificate that was issued before the signatures of ' +
    "the ledger's validators or a time-stamp token were recorded gets a successor that contains them. " +
    'Then the newest one has the next number, and the earlier ones remain.',
  headers: ['If-None-Match'],
  params: { schema: z.object({ proofId }), refusals: { proofId: 'INVALID_PROOF_ID' } },
  query: { schema: z.object({ number: certificateNumber }) },
  responses: {
    200: {
      description:
        'the PDF with the proof bundle attached; for a salted proof it contains the confidential nonce',
      headers: ['ETag', 'Content-Disposition', 'Link'],
      mediaType: 'application/pdf',
      example: '%PDF-1.7',
    },
    304: notModifiedResponse,
  },
  refusals: ['INVALID_PROOF_ID', 'PROOF_NOT_FOUND', 'PROOF_NOT_ANCHORED'],
  handle: async (call, deps: CertificateDeps) => {
    const { proofId } = call.params;
    const { proof, links } = await servedCertificate(deps, call, (number) =>
      certificatePath(proofId, number),
    );
    const { pdfDigest } = proof.certificate;
    const ETag = entityTag(pdfDigest);
    if (isHeld(call.headers['if-none-match'], ETag)) return notModified({ ETag, ...links });
    return {
      status: 200,
      headers: {
        'Content-Type': 'application/pdf',
        'Content-Disposition': attachment(`certificate-${proofId}.pdf`),
        ETag,
        ...links,
      },
      body: await readCertificate(deps, proof),
    };
  },
});
