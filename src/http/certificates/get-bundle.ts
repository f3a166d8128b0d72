import { z } from 'zod';
import { digestOf } from '../../domain/proof/digest-of.ts';
import { bundlePath } from '../../views/certificate-view.ts';
import { lowerHex } from '../../views/output-fields.ts';
import { proofId, trueOrFalse } from '../fields.ts';
import { attachment } from '../headers/content-disposition.ts';
import { entityTag, isHeld, notModified, notModifiedResponse } from '../headers/entity-tag.ts';
import { costOfHeaders, headersCost } from '../limits/call-cost.ts';
import { defineRoute } from '../route.ts';
import { exampleBundle } from './bundle-example.ts';
import {
  type CertificateDeps,
  certificateNumber,
  servedCertificate,
} from './issued-certificate.ts';
import { readCertifiedBundle } from './read-certificate.ts';

const part = z.record(z.string(), z.unknown());

/**
 * The proof bundle as an answer. The format of the bundle has its own version.
 * `src/certificates/bundle-schema.json` describes the parts.
 */
const bundleResponse = z
  .object({
    format: z.literal('proofmark/bundle'),
    version: z.literal([1, 2, 3, 4, 5, 6]),
    certificate: part.meta({ description: 'who issued the certificate, and when' }),
    file: part.meta({ description: 'fileName, fileSizeBytes, mimeType and fileHash' }),
    commitment: part.meta({
      description: 'hashScheme, commitment and nonce, which is null in the form for sharing',
    }),
    revision: part.meta({
      description: 'the number of the revision, and the transaction of the previous revision',
    }),
    anchor: part.meta({ description: 'network, account, transaction, ledger and close time' }),
    evidence: part.meta({
      description: 'memo, blob, metadata and ledgerHeader, as the ledger holds them',
    }),
    addresses: part.meta({
      description:
        'verifyUrl, verifyPageUrl and publicApiUrl; before version 3 verifyUrl was our page, and explorerUrl ' +
        'the explorer',
    }),
    log: part
      .meta({ description: 'since version 2: proof that the anchoring is in the published log' })
      .optional(),
    attestation: part
      .meta({
        description:
          "since version 4: signatures of the ledger's validators, and all that connects them with " +
          'the transaction and with a publisher of validator lists; null without them',
      })
      .nullable()
      .optional(),
    timestamp: part
      .meta({
        description:
          'since version 5: checkpointText, hashes and token, the word of a time-stamping authority ' +
          '(RFC 3161) for the time of a checkpoint that covers the anchoring; null without it',
      })
      .nullable()
      .optional(),
    issuer: part
      .meta({
        description:
          'since version 6: note, the signature of the issuer; it covers all other members but checksum, with ' +
          'the nonce null. GET /issuer-keys has the keys',
      })
      .optional(),
    checksum: lowerHex.meta({
      description: 'SHA-256 of all other members in canonical JSON (RFC 8785)',
    }),
  })
  .meta({
    id: 'ProofBundle',
    description: 'Everything needed to check a proof without this service, in one JSON object.',
  });

export const getBundle = defineRoute({
  operationId: 'getProofBundle',
  tag: 'Certificates',
  method: 'GET',
  path: '/proofs/:proofId/bundle',
  scope: 'certificates:read',
  summary:
    'The proof bundle that is attached to the newest certificate, or to the one of the number; with ' +
    'share=true, without the nonce',
  cost: headersCost,
  headers: ['If-None-Match'],
  params: { schema: z.object({ proofId }), refusals: { proofId: 'INVALID_PROOF_ID' } },
  query: {
    schema: z.object({
      share: trueOrFalse().meta({
        description: 'true: the form for sharing, without the nonce',
        examples: [true],
      }),
      number: certificateNumber,
    }),
  },
  responses: {
    200: {
      description: 'the bundle; its members "format" and "version" identify the format',
      headers: ['ETag', 'Content-Disposition', 'Link'],
      schema: bundleResponse,
      example: exampleBundle,
    },
    304: notModifiedResponse,
  },
  refusals: ['INVALID_PROOF_ID', 'PROOF_NOT_FOUND', 'PROOF_NOT_ANCHORED'],
  handle: async (call, deps: CertificateDeps) => {
    const { proofId } = call.params;
    const { share } = call.query;
    const { proof, links } = await servedCertificate(deps, call, (number) =>
      bundlePath(proofId, number, share),
    );
    const isHeldAs = (tag: string) => isHeld(call.headers['if-none-match'], tag);
    const wholeTag = entityTag(proof.certificate.bundleDigest);
    if (!share && isHeldAs(wholeTag)) return notModified({ ETag: wholeTag, ...links });
    const whole = await readCertifiedBundle(deps, proof, (headers) =>
      call.weigh(costOfHeaders(headers)),
    );
    const bundle = share ? deps.certificates.share(whole) : whole;
    const ETag = share ? entityTag(digestOf(bundle)) : wholeTag;
    if (isHeldAs(ETag)) return notModified({ ETag, ...links });
    const name = `proof-bundle-${proofId}${share ? '-shared' : ''}.json`;
    return {
      status: 200,
      headers: {
        'Content-Type': 'application/json',
        'Content-Disposition': attachment(name),
        ETag,
        ...links,
      },
      body: bundle,
    };
  },
});
