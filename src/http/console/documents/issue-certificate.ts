import { getCertificate } from '../../certificates/get-certificate.ts';
import { parseInput } from '../../input.ts';
import { redirectTo } from '../console-page.ts';
import type { ConsoleRoute } from '../console-route.ts';
import { type DocumentDeps, showDocument } from './document-page.ts';
import { proofParams } from './proof-params.ts';

/** Issues the newest certificate of a proof, by the call of the API that downloads it, and counts as that. */
export const issueCertificateRoute: ConsoleRoute<DocumentDeps> = {
  kind: 'form',
  path: '/console/documents/:id/certificate',
  role: 'owner',
  needsApiAccess: true,
  again: (request, deps) => showDocument(request, deps, { note: request.note }),
  handle: async (request, deps) => {
    const { id } = parseInput(proofParams, request.params);
    await deps.consoleApi.countedReply(request, getCertificate, { params: { proofId: id } });
    return redirectTo(request.root, `console/documents/${id}`);
  },
};
