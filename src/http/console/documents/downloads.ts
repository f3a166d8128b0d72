import { noSuchDocument } from '../../../loading/no-such-document.ts';
import { shareAnswer, shareDownload } from '../../calls/share-answer.ts';
import { getBundle } from '../../certificates/get-bundle.ts';
import { getCertificate } from '../../certificates/get-certificate.ts';
import { getDocumentFile } from '../../documents/get-document-file.ts';
import { parseInput } from '../../input.ts';
import type { Reply } from '../../reply.ts';
import type { ApiDeps } from '../console-api.ts';
import { consoleHeaders } from '../console-page.ts';
import type { ConsoleRoute, ViewRequest } from '../console-route.ts';
import { readListed } from './document-page.ts';
import { proofParams } from './proof-params.ts';

type FileDeps = ApiDeps & Parameters<typeof readListed>[1] & Parameters<typeof shareDownload>[1];
type AnswerDeps = ApiDeps & Parameters<typeof shareAnswer>[2];

/** The bytes of a stored document. */
export const fileDownload: ConsoleRoute<FileDeps> = {
  kind: 'view',
  path: '/console/documents/:id/file',
  role: 'member',
  needsActive: true,
  handle: async (request, deps) => {
    const { documentId } = await readListed(request, deps);
    if (documentId === null) throw noSuchDocument();
    await shareDownload(request.ctx, deps, request.viewer.organisation);
    const params = { id: documentId };
    return asDownload(await deps.consoleApi.reply(request, getDocumentFile, { params }));
  },
};

/** An issued certificate, by its number. A download issues none. */
export const certificateDownload: ConsoleRoute<AnswerDeps> = {
  kind: 'view',
  path: '/console/documents/:id/certificate',
  role: 'member',
  needsActive: true,
  handle: async (request, deps) => {
    const reply = await deps.consoleApi.reply(request, getCertificate, numbered(request));
    await shareAnswer(request.ctx, reply, deps, request.viewer.organisation);
    return asDownload(reply);
  },
};

/** The proof bundle of an issued certificate; with `share=true`, without the nonce. */
export const bundleDownload: ConsoleRoute<AnswerDeps> = {
  kind: 'view',
  path: '/console/documents/:id/bundle',
  role: 'member',
  needsActive: true,
  handle: async (request, deps) => {
    const { params, query } = numbered(request);
    const asked = { ...query, share: request.query.get('share') ?? '' };
    const reply = await deps.consoleApi.reply(request, getBundle, { params, query: asked });
    await shareAnswer(request.ctx, reply, deps, request.viewer.organisation);
    return asDownload(reply);
  },
};

function numbered({ params, query }: ViewRequest) {
  const { id } = parseInput(proofParams, params);
  const number = query.get('number') || '1';
  return { params: { proofId: id }, query: { number } };
}

/** The policy of a page would say nothing about a file, which is never shown. */
function asDownload({ headers, ...reply }: Reply): Reply {
  const policy = { 'Content-Security-Policy': "default-src 'none'; sandbox" };
  const { ETag: _, Link: __, ...kept } = headers ?? {};
  return { ...reply, headers: { ...consoleHeaders, ...kept, ...policy } };
}
