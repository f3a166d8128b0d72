import { z } from 'zod';
import { findTimestamp } from '../../../projections/timestamps/query.ts';
import type { EventStore } from '../../event-store/event-store.ts';
import type { ReadModels } from '../../subscriptions/projection.ts';
import type { ProvingDeps } from '../../transparency-log/inclusion/prove-event.ts';
import { proveTimestamped } from '../../transparency-log/inclusion/prove-timestamped.ts';
import { success, time } from '../../views/output-fields.ts';
import { proofId } from '../fields.ts';
import { defineRoute } from '../route.ts';
import { inclusion } from './inclusion-example.ts';
import { provenLeafFields, viewProvenLeaf } from './inclusion-view.ts';

interface TimestampDeps extends ProvingDeps {
  readonly store: EventStore;
  readonly db: ReadModels;
}

const data = z.object({
  ...provenLeafFields,
  checkpointText: z.string().meta({
    description: 'Text of the checkpoint, whose SHA-256 the token is of: three lines.',
  }),
  time: time.meta({ description: 'Time in the token.' }),
  authority: z.string().meta({ description: 'Subject of the certificate that signed the token.' }),
  token: z.string().meta({
    description: 'Time-stamp token (RFC 3161): DER in base64, with its certificates.',
  }),
});

const { checkpoint, logKeys: _, ...leaf } = inclusion;

export const getTimestamp = defineRoute({
  operationId: 'getProofTimestamp',
  tag: 'Published log',
  method: 'GET',
  path: '/proofs/:proofId/timestamp',
  scope: 'certificates:read',
  summary: 'The time of an anchoring, as a time-stamping authority has confirmed it',
  description:
    'The token confirms the time of the earliest checkpoint of the log that covers the anchoring and has a token. ' +
    'The leaf and `hashes` give the root in `checkpointText`, as in an inclusion proof. The file existed no later ' +
    'than `time`. `openssl ts -verify -token_in` checks the token.',
  params: { schema: z.object({ proofId }), refusals: { proofId: 'INVALID_PROOF_ID' } },
  responses: {
    200: {
      description: 'the token, and the inclusion proof that leads to it',
      schema: z.object({ success, data }),
      example: {
        success: true,
        data: {
          ...leaf,
          checkpointText: checkpoint.slice(0, checkpoint.indexOf('\n\n') + 1),
          time: '2026-11-21T02:00:03.000Z',
          authority: 'C=CH, O=Example Trust, CN=Example TSA 1',
          token: 'MIIE9QYJKoZIhvcNAQcCoIIE5jCCBOICAQMxDTALBglghkgBZQMEAgE=',
        },
      },
    },
  },
  refusals: ['INVALID_PROOF_ID', 'PROOF_NOT_FOUND', 'PROOF_NOT_ANCHORED', 'TIMESTAMP_PENDING'],
  handle: async ({ params, caller }, deps: TimestampDeps) => {
    const { organisationId } = caller;
    const find = (position: number) => findTimestamp(deps.db, position);
    const proven = await proveTimestamped(
      { ...deps, findTimestamp: find },
      { organisationId, ...params },
    );
    const { size, time, authority, token } = proven.timestamp;
    const { checkpointText } = proven;
    const stamped = { checkpointText, time, authority, token };
    return {
      status: 200,
      body: { success: true, data: { ...viewProvenLeaf(proven, size), ...stamped } },
    };
  },
});
