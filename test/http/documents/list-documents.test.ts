import { test } from 'tap';
import { ulid } from 'ulid';
import { documentList } from '../../../src/views/document-schema.ts';
import { joinDocumentService } from '../../support/document-service.ts';
import { randomDigest } from '../../support/scripted-anchoring.ts';

test("lists are paged, filtered and searched, within the caller's organisation", async (t) => {
  const site = await joinDocumentService(t, { unanchored: true });
  const { upload, service, key, workspace, anchoring, get } = site;
  const stranger = await service.openOrganisation();
  const headers = { prefer: 'respond-async' };
  const named = async (name: string, description: string) =>
    (await upload({ name }, { description }, { headers })).body.data;
  const one = await named('Straße 1.txt', 'erste');
  const two = await named('zwei.txt', 'STRASSE % _ \\');
  const hash = randomDigest();
  const json = { hash, workspace, fileName: 'hash only' };
  const three = (await service.call('POST', '/proofs', { key, json, headers })).body.data;
  await anchoring.prepare(two.proofId);
  const { transactionHash } = await anchoring.anchor(three.proofId);

  const ids = async (query: string, as = key) => {
    const answer = await get(`/documents${query}`, as);
    t.equal(answer.status, 200, query);
    t.strictSame(documentList.strict().parse(answer.body), answer.body);
    return answer.body.data.map(({ proofId }: { proofId: string }) => proofId);
  };
  const [a, b, c] = [one.proofId, two.proofId, three.proofId];
  const rows: [string, readonly string[]][] = [
    ['', [c, b, a]],
    ['?limit=2', [c, b]],
    ['?limit=2&page=2', [a]],
    ['?limit=2&page=3', []],
    ['?page=1000000000&limit=100', []],
    ['?limit=100', [c, b, a]],
    [`?workspace=${workspace}`, [c, b, a]],
    ['?blockchainStatus=pending', [a]],
    ['?blockchainStatus=processing', [b]],
    ['?blockchainStatus=completed', [c]],
    ['?search=', [c, b, a]],
    ['?search=strasse', [b, a]],
    ['?search=%25', [b]],
    ['?search=%5C', [b]],
    ['?search=ERSTE', [a]],
    ['?search=nothing', []],
    [`?search=${hash}`, [c]],
    [`?search=${one.fileHash}`, [a]],
    [`?search=${transactionHash}`, [c]],
    [`?search=${transactionHash.toLowerCase()}`, [c]],
    [`?search=${b}`, [b]],
    ['?search=strasse&blockchainStatus=pending', [a]],
    ['?unknown=1', [c, b, a]],
  ];
  for (const [query, expected] of rows) t.strictSame(await ids(query), expected, query);
  t.strictSame(await ids('', stranger.key), []);
  t.strictSame(await ids(`?search=${hash}`, stranger.key), []);

  const page = (await get('/documents?limit=1&page=2')).body;
  t.strictSame(page.meta, { page: 2, limit: 1, total: 3 });
  const [item] = (await get('/documents?limit=1')).body.data;
  const nothing = { documentId: null, revision: null, rootDocumentId: null, uploadedAt: null };
  t.match(item, { ...nothing, fileName: 'hash only', proofNonce: null, fileHash: hash });
});

test('refuses invalid parameters by name', async (t) => {
  const { get, service } = await joinDocumentService();
  const stranger = await service.openOrganisation();
  const rows: [string, string, RegExp][] = [
    ['page=0', 'INVALID_REQUEST', /^page: /],
    ['page=-1', 'INVALID_REQUEST', /^page: /],
    ['page=x', 'INVALID_REQUEST', /^page: /],
    ['page=1.5', 'INVALID_REQUEST', /^page: /],
    ['page=1&page=2', 'INVALID_REQUEST', /^page: must be given once, as a string$/],
    ['limit=0', 'INVALID_REQUEST', /^limit: /],
    ['limit=101', 'INVALID_REQUEST', /^limit: .*100/],
    ['limit=1e2', 'INVALID_REQUEST', /^limit: /],
    [
      'blockchainStatus=done',
      'INVALID_REQUEST',
      /^blockchainStatus: must be one of pending, processing, completed$/,
    ],
    [
      'blockchainStatus=pending&blockchainStatus=pending',
      'INVALID_REQUEST',
      /^blockchainStatus: must be given once, as one of/,
    ],
    ['search=a%00b', 'INVALID_REQUEST', /^search: .*NUL/],
    ['search=a&search=b', 'INVALID_REQUEST', /^search: must be given once, as a string$/],
    ['workspace=x', 'INVALID_WORKSPACE', /^workspace: /],
    [`workspace=${ulid()}`, 'INVALID_WORKSPACE', /^workspace: /],
    [`workspace=${stranger.workspaceId}`, 'INVALID_WORKSPACE', /^workspace: /],
  ];
  for (const [query, code, message] of rows) {
    const answer = await get(`/documents?${query}`);
    t.match(answer, { status: 400, body: { success: false, code, message } }, query);
  }
});

test('a caller immediately sees its own writes', async (t) => {
  const { upload, get } = await joinDocumentService();
  for (let count = 1; count <= 10; count += 1) {
    const { data } = (await upload()).body;
    const list = (await get('/documents')).body;
    t.strictSame(list.data[0], { ...data, proofNonce: null });
    t.equal(list.meta.total, count);
  }
});
