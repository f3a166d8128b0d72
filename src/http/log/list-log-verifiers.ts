import { z } from 'zod';
import { streams } from '../../domain/streams.ts';
import type { EventStore } from '../../event-store/event-store.ts';
import type { Leaves } from '../../event-store/leaves.ts';
import {
  type PublishedLeafDeps,
  provePublishedLeaf,
} from '../../transparency-log/inclusion/prove-published-leaf.ts';
import { count, id, lowerHex, success, time } from '../../views/output-fields.ts';
import { defineOpenRoute } from '../route.ts';
import { inclusion } from './inclusion-example.ts';
import { leafExample, leafResponse, viewPublishedLeaf } from './leaf-view.ts';

interface LogVerifiersDeps extends PublishedLeafDeps {
  readonly store: Pick<EventStore, 'readStream'>;
  readonly leaves: Pick<Leaves, 'readInput'>;
}

/** The newest ones: each has an inclusion proof. */
const mostShown = 50;

const event = z.object({
  v: z.literal(1),
  eventId: id,
  organisationId: z.null(),
  stream: z.literal('published-verifier'),
  version: count,
  type: z.literal('VerifierPublished'),
  schema: count,
  recordedAt: time,
  dataHash: lowerHex,
  metaHash: lowerHex,
});

const verifier = z.object({
  sha256: lowerHex.meta({ description: 'SHA-256 of the file that `/verify.py` served' }),
  leafIndex: count,
  event,
  inclusion: leafResponse.shape.data.nullable().meta({
    description: 'null until a checkpoint covers the leaf, a few seconds after the start',
  }),
});

export const listLogVerifiers = defineOpenRoute({
  operationId: 'listLogVerifiers',
  tag: 'Published log',
  method: 'GET',
  path: '/log/verifiers',
  scope: null,
  summary:
    'The newest verifiers (`verify.py`) that this service has offered, with their places in the log',
  description:
    'For anybody who was given a verifier. The newest ones come first, 50 at most. `event.dataHash` is the ' +
    'SHA-256 of `{"sha256":"…"}` with the SHA-256 of the file. The leaf is the SHA-256 of a zero byte ' +
    'followed by the canonical JSON (RFC 8785) of `event`.',
  responses: {
    200: {
      description: 'the verifiers',
      schema: z.object({ success, data: z.object({ verifiers: z.array(verifier) }) }),
      example: {
        success: true,
        data: {
          verifiers: [
            {
              sha256: '568e8c8e97db57188016cda54e026726cf8ffeb18307184009d13c0d52de32f5',
              leafIndex: leafExample.data.leafIndex,
              event: {
                ...inclusion.event,
                organisationId: null,
                stream: 'published-verifier',
                version: 1,
                type: 'VerifierPublished',
              },
              inclusion: leafExample.data,
            },
          ],
        },
      },
    },
  },
  refusals: ['SERVICE_UNAVAILABLE'],
  handle: async (_call, deps: LogVerifiersDeps) => {
    const published = await deps.store.readStream(streams.publishedVerifier);
    const verifiers = [];
    for (const { data, position } of published.slice(-mostShown).reverse()) {
      const input = await deps.leaves.readInput(position);
      if (input === null) throw new Error(`the log has no leaf at ${position}`);
      const { leaf: _, ...rest } = input;
      const proven = await provePublishedLeaf(deps, position - 1);
      verifiers.push({
        sha256: data.sha256,
        leafIndex: position - 1,
        event: { v: 1, ...rest },
        inclusion: proven && viewPublishedLeaf(proven),
      });
    }
    return { status: 200, body: { success: true, data: { verifiers } } };
  },
});
