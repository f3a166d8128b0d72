import { test } from 'tap';
import { joinDocumentService } from '../../support/document-service.ts';

test('a search takes words in any order, whole ids, hashes and commitments', async (t) => {
  const { service, key, workspace, upload, get } = await joinDocumentService();
  const bytes = 'the annual report';
  const description = 'Signed by the board';
  const { data } = (await upload({ name: 'Annual Report 2030.txt', bytes }, { description })).body;
  const json = { hash: 'ab'.repeat(32), workspace, fileName: 'report-annual.pdf' };
  const bare = (await service.call('POST', '/proofs', { key, json })).body.data;
  const found = async (search: string) =>
    (await get(`/documents?search=${encodeURIComponent(search)}`)).body.data.map(
      ({ proofId }: { proofId: string }) => (proofId === data.proofId ? 'file' : 'hash'),
    );
  const rows: [string, string[]][] = [
    ['  annual ', ['hash', 'file']],
    ['report annual', ['hash', 'file']],
    ['2030\t ANNUAL', ['file']],
    ['board 2030 signed', ['file']],
    ['board 2031', []],
    ['   ', ['hash', 'file']],
    [data.documentId, ['file']],
    [` ${data.documentId.toLowerCase()}`, ['file']],
    [data.proofId, ['file']],
    [data.proofCommitment, ['file']],
    [bare.proofCommitment.toUpperCase(), ['hash']],
    [bare.txHash, ['hash']],
    [json.hash, ['hash']],
  ];
  for (const [search, expected] of rows) t.strictSame(await found(search), expected, search);
  const stranger = await service.openOrganisation();
  for (const search of [data.documentId, data.proofCommitment]) {
    const { body } = await get(`/documents?search=${search}`, stranger.key);
    t.equal(body.meta.total, 0, 'of this organisation only');
  }
  const many = Array.from({ length: 251 }, (_, n) => `w${n}x`).join(' ');
  const refused = await get(`/documents?search=${encodeURIComponent(many)}`);
  t.match(refused, { status: 400, body: { message: /^search: .*250/ } });
});
