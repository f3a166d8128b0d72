import { z } from 'zod';
import type { Network } from '../../../domain/network.ts';
import { Refusal } from '../../../domain/refusal.ts';
import type { RunDeps } from '../../calls/run-route.ts';
import { getCertificate } from '../../certificates/get-certificate.ts';
import type { CertificateDeps } from '../../certificates/issued-certificate.ts';
import type { BeginProofDeps } from '../../proofs/begin-proof.ts';
import { postBatch } from '../../proofs/post-batch.ts';
import type { ConsoleRoute } from '../console-route.ts';
import { callForPerson } from './call-for-person.ts';

type Deps = RunDeps & BeginProofDeps & { readonly network: Network };

const batch = z.looseObject({ items: z.array(z.unknown()).max(100) });

/**
 * Proves hashes by the batch of the API, which queues them: the page is told of their states as they
 * change. At most 100 at once.
 */
export const proveHashesRoute: ConsoleRoute<Deps> = {
  kind: 'order',
  path: '/console/prove/hashes',
  role: 'owner',
  handle: async (request, deps) => {
    const { data } = batch.safeParse(request.body);
    if (data === undefined) throw new Refusal('INVALID_REQUEST', 'items: must have 1 to 100 items');
    const input = { json: data, headers: { prefer: 'respond-async' } };
    return callForPerson<Deps>(postBatch, deps, request, input);
  },
};

const asked = z.object({ proofId: z.string().max(100) });

type CertificateRouteDeps = RunDeps & CertificateDeps;

/** The certificate of a proof, by the API. It is issued if it was not yet. */
export const proofCertificateRoute: ConsoleRoute<CertificateRouteDeps> = {
  kind: 'order',
  path: '/console/prove/certificate',
  role: 'owner',
  handle: async (request, deps) => {
    const { data } = asked.safeParse(request.body);
    if (data === undefined) throw new Refusal('INVALID_PROOF_ID', 'proofId: is missing');
    const input = { params: { proofId: data.proofId }, query: {} };
    return callForPerson<CertificateRouteDeps>(getCertificate, deps, request, input);
  },
};
