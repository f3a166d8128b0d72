import { z } from 'zod';
import { Refusal } from '../../../domain/refusal.ts';
import { getCertificate } from '../../certificates/get-certificate.ts';
import { postBatch } from '../../proofs/post-batch.ts';
import type { ApiDeps } from '../console-api.ts';
import type { ConsoleRoute } from '../console-route.ts';

const batch = z.looseObject({ items: z.array(z.unknown()).max(100) });

/**
 * Proves hashes by the batch of the API, which queues them: the page is told of their states as they
 * change. At most 100 at once.
 */
export const proveHashesRoute: ConsoleRoute<ApiDeps> = {
  kind: 'order',
  path: '/console/prove/hashes',
  role: 'owner',
  handle: async (request, deps) => {
    const { data } = batch.safeParse(request.body);
    if (data === undefined) throw new Refusal('INVALID_REQUEST', 'items: must have 1 to 100 items');
    const input = { json: data, headers: { prefer: 'respond-async' } };
    return deps.consoleApi.prove(request, postBatch, input);
  },
};

const asked = z.object({ proofId: z.string().max(100) });

/** The certificate of a proof, by the API. It is issued if it was not yet. */
export const proofCertificateRoute: ConsoleRoute<ApiDeps> = {
  kind: 'order',
  path: '/console/prove/certificate',
  role: 'owner',
  handle: async (request, deps) => {
    const { data } = asked.safeParse(request.body);
    if (data === undefined) throw new Refusal('INVALID_PROOF_ID', 'proofId: is missing');
    const input = { params: { proofId: data.proofId }, query: {} };
    return deps.consoleApi.prove(request, getCertificate, input);
  },
};
