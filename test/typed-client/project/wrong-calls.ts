import createClient from 'openapi-fetch';
import type { paths } from './proofmark.d.ts';

/** None of these compiles. If one did, its unused directive would be the error. */
const api = createClient<paths>({ baseUrl: 'https://proofs.example.org/api/v1' });
const hash = '568e8c8e97db57188016cda54e026726cf8ffeb18307184009d13c0d52de32f5';
const workspace = '01M7XT7TQ3W1Y1YB2MWHC1M0JS';

export async function wrongCalls(): Promise<void> {
  // @ts-expect-error there is no such path
  await api.GET('/proof');
  // @ts-expect-error the path has no such method
  await api.DELETE('/proofs/{proofId}', { params: { path: { proofId: 'x' } } });
  // @ts-expect-error the workspace is required
  await api.POST('/proofs', { body: { hash } });
  // @ts-expect-error a hash is a text
  await api.POST('/proofs', { body: { hash: 7, workspace } });
  // @ts-expect-error there is no such scheme
  await api.POST('/proofs', { body: { hash, workspace, hashScheme: 'md5' } });
  // @ts-expect-error the proof's id is required
  await api.GET('/proofs/{proofId}');
  // @ts-expect-error a limit is a number
  await api.GET('/documents', { params: { query: { limit: 'many' } } });
  // @ts-expect-error there is no such kind of event
  await api.POST('/webhooks', { body: { url: 'https://example.org', events: ['proof.lost'] } });

  const { data, error } = await api.POST('/proofs', { body: { hash, workspace } });
  // @ts-expect-error a proof has no such member
  data?.data.secret;
  // @ts-expect-error it may be null
  data?.data.txHash.length;
  // @ts-expect-error this call never answers with that code
  if (error?.code === 'RUN_CONFLICT') return;
}
