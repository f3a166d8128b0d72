import { createHash } from 'node:crypto';
import createClient from 'openapi-fetch';
import type { components, paths } from './proofmark.d.ts';

/** Client code written with only the OpenAPI document and a key. */
const [, , address = '', key = ''] = process.argv;
const api = createClient<paths>({
  baseUrl: `${address}/api/v1`,
  headers: { authorization: `Bearer ${key}` },
});
const root = createClient<paths>({ baseUrl: address });

const { data: workspaces } = await api.GET('/workspaces');
const workspace = workspaces?.data[0]?._id;
if (workspace === undefined) throw new Error('no workspace');

const hash = createHash('sha256').update('a file that stays here').digest('hex');
const posted = await api.POST('/proofs', {
  body: { hash, workspace, fileName: 'here.txt', metadata: { description: 'from types' } },
});
if (posted.error) throw new Error(`${posted.error.code}: ${posted.error.message}`);
const { proofId, proofNonce }: components['schemas']['ProofData'] = posted.data.data;

const got = await api.GET('/proofs/{proofId}', {
  params: { path: { proofId }, query: { includeSalt: true } },
});
if (got.error) throw new Error(got.error.code);
const { blockchainStatus, txHash } = got.data.data;
if (txHash === null) throw new Error('not anchored');

const certificate = await api.GET('/certificates/{proofId}', {
  params: { path: { proofId } },
  parseAs: 'blob',
});

const uploaded = await api.POST('/documents', {
  body: { workspace, file: new Blob(['a file that goes there']), description: 'uploaded' },
  bodySerializer({ file, ...fields }) {
    const form = new FormData();
    for (const [name, value] of Object.entries(fields)) form.set(name, value);
    form.set('file', file, 'there.txt');
    return form;
  },
});
const listed = await api.GET('/documents', { params: { query: { limit: 2, search: 'there' } } });

const verified = await root.GET('/api/public/verify/{txHash}', { params: { path: { txHash } } });

const refused = await api.POST('/proofs', { body: { hash: 'no hash', workspace } });
const why: 'INVALID_HASH' | undefined =
  refused.error?.code === 'INVALID_HASH' ? refused.error.code : undefined;

console.log(
  JSON.stringify({
    proofId,
    sameNonce: proofNonce === got.data.data.proofNonce,
    blockchainStatus,
    certificateType: certificate.data?.type,
    certificateBegins: (await certificate.data?.slice(0, 5).text()) ?? null,
    uploadedStatus: uploaded.response.status,
    fileName: uploaded.data?.data.fileName,
    listed: listed.data?.data.map((document) => document.fileName),
    total: listed.data?.meta.total,
    verified: verified.data?.data.verified,
    why,
  }),
);
