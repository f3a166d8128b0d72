import { z } from 'zod';
import { digestOf } from '../../domain/proof/digest-of.ts';
import { bundleResponse } from '../bundle-response.ts';
import { attachment } from '../content-disposition.ts';
import { entityTag, isHeld } from '../entity-tag.ts';
import { bundle } from '../examples/bundle-example.ts';
import { proofId, trueOrFalse } from '../fields.ts';
import { issuedCertificate } from '../issued-certificate.ts';
import { readBundle } from '../read-certificate.ts';
import { defineRoute } from '../route.ts';

export const getBundle = defineRoute({
  operationId: 'getProofBundle',
  tag: 'Certificates',
  method: 'GET',
  path: '/proofs/:proofId/bundle',
  scope: 'certificates:read',
  summary: 'The proof bundle, as it is attached to the certificate; for sharing without its nonce',
  headers: ['If-None-Match'],
  params: { schema: z.object({ proofId }), refusals: { proofId: 'INVALID_PROOF_ID' } },
  query: {
    schema: z.object({
      share: trueOrFalse().meta({
        description: 'true: the form for sharing, without the nonce',
        examples: [true],
      }),
    }),
  },
  responses: {
    200: {
      description: 'the bundle, of the format that its "format" and "version" name',
      headers: ['ETag', 'Content-Disposition'],
      schema: bundleResponse,
      example: bundle,
    },
    304: {
      description: 'the caller has it, as If-None-Match says',
      headers: ['ETag'],
      empty: true,
    },
  },
  refusals: ['INVALID_PROOF_ID', 'PROOF_NOT_FOUND', 'PROOF_NOT_ANCHORED'],
  handle: async (call, deps) => {
    const proof = await issuedCertificate(deps, call);
    const whole = readBundle(deps, proof);
    const bundle = call.query.share ? deps.certificates.share(whole) : whole;
    const ETag = entityTag(digestOf(bundle));
    if (isHeld(call.headers['if-none-match'], ETag)) {
      return { status: 304, headers: { ETag }, body: null };
    }
    const name = `proof-bundle-${call.params.proofId}${call.query.share ? '-shared' : ''}.json`;
    return {
      status: 200,
      headers: {
        'Content-Type': 'application/json',
        'Content-Disposition': attachment(name),
        ETag,
      },
      body: bundle,
    };
  },
});
