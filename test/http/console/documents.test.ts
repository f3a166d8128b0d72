import { test } from 'tap';
import { streams } from '../../../src/domain/streams.ts';
import type { ProofId } from '../../../src/domain/ulid.ts';
import { subjectOfOrganisation } from '../../../src/http/limits/count-calls.ts';
import { signedIn } from '../../support/console-person.ts';
import { joinDocumentService, startDocumentService } from '../../support/document-service.ts';
import { randomDigest } from '../../support/scripted-anchoring.ts';

const bidi = 'invoice \u202egpj.exe <script>alert(1)<script>.txt';

test('people read documents in the console, and owners certify and share them', async (t) => {
  const site = await joinDocumentService();
  const { service, organisationId, workspace } = site;
  const owner = await signedIn(service, organisationId);
  const member = await signedIn(service, organisationId, { role: 'member', email: 'm@x.org' });
  const changes = async () => (await service.store.lastPositionOf(organisationId)) ?? 0;

  await t.test('an empty list says what to do next', async (t) => {
    const { status, text } = await owner.get('/console/documents');
    t.equal(status, 200);
    t.match(text, 'Nothing is proven yet');
    t.match(text, '../console/prove">Prove your first files</a>');
    t.match((await member.get('/console/documents')).text, 'An owner of your organisation can');
  });

  const first = (await site.upload({ name: bidi, bytes: 'one' }, { description: 'Q3 <b>' })).body
    .data;
  const { documentId } = first;
  const second = (await site.revise(documentId, { name: 'v2.txt', bytes: 'two' })).body.data;
  const hash = randomDigest();
  const json = { hash, workspace, fileName: 'only a hash.pdf' };
  const bare = (await service.call('POST', '/proofs', { key: site.key, json })).body.data;
  const pathOf = (proof: { readonly proofId: string }) => `/console/documents/${proof.proofId}`;

  await t.test('the list has search, filters and pages', async (t) => {
    const all = await member.get('/console/documents');
    t.match(all.text, '3 proofs');
    t.match(all.text, '&lt;script>');
    t.match(all.text, `<bdi class="said">invoice \u202egpj.exe`);
    t.notMatch(all.text, '<script>alert');
    const listed = async (query: string) =>
      [
        ...(await member.get(`/console/documents?${query}`)).text.matchAll(
          /<h2><a href="[^"]*\/(\w{26})"/g,
        ),
      ].map(([, id]) => id);
    t.strictSame(await listed('search=v2'), [second.proofId]);
    t.strictSame(await listed(`search=${hash}`), [bare.proofId]);
    t.strictSame(await listed(`workspace=${workspace}&blockchainStatus=pending`), []);
    t.equal((await listed('blockchainStatus=completed')).length, 3);
    const none = await member.get('/console/documents?search=nowhere');
    t.match(none.text, 'Nothing matches.');
    t.match(none.text, 'value="nowhere"', 'what was searched stays');
    t.match((await member.get('/console/documents?page=2&search=v2')).text, 'page=1', 'back');
  });

  await t.test('filters that the API refuses are explained, and stay in the form', async (t) => {
    for (const query of ['workspace=zzz', 'blockchainStatus=odd', `search=${'a+'.repeat(200)}`]) {
      const { status } = await member.get(`/console/documents?${query}`);
      t.ok([200, 400].includes(status), query);
    }
    const { status, text } = await member.get(
      '/console/documents?workspace=01ARZ3NDEKTSV4RRFFQ69G5FAV',
    );
    t.equal(status, 400);
    t.match(text, 'role="alert"');
  });

  await t.test('a page shows the proof, its state and the chain of revisions', async (t) => {
    const { status, text } = await member.get(pathOf(second));
    t.equal(status, 200);
    for (const shown of [second.txHash, second.fileHash, second.documentId, 'proven']) {
      t.match(text, shown);
    }
    t.match(text, '2 revisions');
    t.match(text, /aria-current="true" class="shown"/);
    t.match(text, `<a href="../../console/documents/${first.proofId}">Revision 1</a>`);
    t.match(text, `names <code>${first.txHash.slice(0, 8)}…`);
    t.notMatch(text, /Issue the certificate|Create the link/, 'a member changes nothing');
    const hashOnly = (await owner.get(pathOf(bare))).text;
    t.match(hashOnly, 'The service never had the file');
    t.notMatch(hashOnly, 'Download the file');
    t.notMatch(hashOnly, bare.proofNonce, 'the nonce is on no page');
    t.equal((await owner.get(`${pathOf(bare)}/file`)).status, 404);
    t.equal((await owner.get('/console/documents/odd')).status, 400);
  });

  await t.test('of a long chain the page shows both ends and what is around', async (t) => {
    for (let n = 3; n <= 12; n += 1) {
      await site.revise(documentId, { name: `v${n}.txt`, bytes: `bytes ${n}` });
    }
    const revisionsOn = (text: string) =>
      [...text.matchAll(/(?:Revision (\d+)<|class="gap")/g)].map(([, number]) => number ?? '…');
    const middle = (await site.get(`/documents/${documentId}/versions`)).body.data[5];
    t.strictSame(revisionsOn((await member.get(pathOf(middle))).text), [
      ...['1', '…', '3', '4', '5', '6', '7', '8', '9', '…', '12'],
    ]);
    t.strictSame(revisionsOn((await member.get(pathOf(first))).text), [
      ...['1', '2', '3', '4', '…', '12'],
    ]);
  });

  await t.test('the file is downloaded under its name, as the API answers it', async (t) => {
    const answer = await fetch(`${member.site.url}${pathOf(first)}/file`, {
      headers: { cookie: member.cookie },
    });
    t.equal(await answer.text(), 'one');
    const { headers } = answer;
    t.equal(headers.get('content-type'), 'application/octet-stream');
    t.match(headers.get('content-disposition'), /^attachment; filename="invoice _gpj/);
    t.match(headers.get('content-security-policy'), /sandbox/);
    t.equal(headers.get('cache-control'), 'no-store');
  });

  await t.test(
    'a certificate is issued by a change of an owner, and then downloaded',
    async (t) => {
      const path = `${pathOf(second)}/certificate`;
      const before = await changes();
      t.equal((await member.get(`${path}?number=1`)).status, 404, 'a download issues none');
      t.equal((await owner.get(`${pathOf(second)}/bundle?number=1`)).status, 404);
      t.equal((await member.post(path)).status, 403);
      t.equal(await changes(), before);
      t.equal((await owner.post(path)).status, 303);
      const events = await service.store.readStream(streams.proof(second.proofId as ProofId));
      const issued = events.find(({ type }) => type === 'CertificateIssued');
      t.match(issued?.meta, { actor: 'console', personId: owner.personId });
      const text = (await member.get(pathOf(second))).text;
      t.match(text, 'Download the PDF');
      t.notMatch(text, 'Issue the certificate');
      const pdf = await fetch(`${member.site.url}${path}?number=1`, {
        headers: { cookie: member.cookie },
      });
      t.match(
        Buffer.from(await pdf.arrayBuffer())
          .subarray(0, 5)
          .toString(),
        '%PDF-',
      );
      t.match(pdf.headers.get('content-disposition'), `certificate-${second.proofId}.pdf`);
      const bundle = JSON.parse((await member.get(`${pathOf(second)}/bundle?number=1`)).text);
      t.match(bundle.commitment, { nonce: /^\w{64}$/ });
      const shared = JSON.parse(
        (await member.get(`${pathOf(second)}/bundle?number=1&share=true`)).text,
      );
      t.equal(shared.commitment.nonce, null);
      t.equal((await owner.post(path)).status, 303);
      const again = await service.store.readStream(streams.proof(second.proofId as ProofId));
      t.equal(again.filter(({ type }) => type === 'CertificateIssued').length, 1, 'once');
    },
  );

  await t.test('a certificate and a link count as the calls of a key do', async (t) => {
    const subject = subjectOfOrganisation(organisationId);
    const limits = { perMinute: 1_000_000, perDay: 1_000_000 };
    const counted = async () => {
      const looked = await service.services.limits.limiter.look([
        { subject, limits, of: 'organisation' },
      ]);
      const day = looked?.windows.find(({ name }) => name === 'organisation-day');
      return limits.perDay - (day?.remaining ?? limits.perDay);
    };
    const before = await counted();
    t.equal((await owner.post(`${pathOf(first)}/certificate`)).status, 303);
    t.equal(await counted(), before + 1);
    const once = await owner.onceOn(pathOf(first));
    t.equal((await owner.post(`${pathOf(first)}/links`, { once })).status, 201);
    t.equal(await counted(), before + 2);
    await owner.get(pathOf(first));
    t.equal(await counted(), before + 2, 'reading does not');
  });

  await t.test('a link is created once, shown once, and withdrawn', async (t) => {
    const path = `${pathOf(bare)}/links`;
    t.equal((await member.post(path)).status, 403);
    t.match(
      (await owner.get(pathOf(bare))).text,
      'Without the name, the shared proof has no signature of its issuer',
    );
    const once = await owner.onceOn(pathOf(bare));
    const order = { once, showFileName: 'yes', expires: '2999-12-31' };
    const late = await owner.post(path, { ...order, expires: '2001-01-01' });
    t.equal(late.status, 400);
    t.match(late.text, 'Last day: must be in the future');
    t.match(late.text, 'value="2001-01-01"', 'what was typed stays');
    t.equal((await owner.post(path, { ...order, expires: 'soon' })).status, 400);
    t.equal((await owner.post(path, { ...order, once: 'forged' })).status, 400);
    const answers = await Promise.all([1, 2].map(() => owner.post(path, order)));
    t.strictSame(answers.map(({ status }) => status).sort(), [201, 409]);
    const made = answers.find(({ status }) => status === 201)?.text ?? '';
    const address = /id="link"[^>]*>([^<]+)</.exec(made)?.[1] ?? '';
    const page = await fetch(address);
    t.equal(page.status, 200);
    t.match(await page.text(), 'only a hash.pdf');
    const shown = (await member.get(pathOf(bare))).text;
    t.notOk(shown.includes(address.split('/').at(-1) ?? ''), 'the address is shown once');
    t.match(shown, 'shows the name of the file');
    t.notMatch(shown, '/withdraw');
    const links = await service.store.readStream(streams.links(bare.proofId));
    t.equal(links.length, 1);
    t.match(links[0]?.meta, { actor: 'console', personId: owner.personId });
    const withdrawal =
      /href="[./]*(\/console\/[^"]+\/withdraw)"/.exec((await owner.get(pathOf(bare))).text)?.[1] ??
      '';
    t.equal((await member.get(withdrawal)).status, 403);
    t.match((await owner.get(withdrawal)).text, 'Withdraw this link?');
    t.equal((await owner.post(withdrawal)).status, 303);
    t.equal((await fetch(address)).status, 410);
    t.equal((await owner.post(withdrawal)).status, 404, 'another person was faster');
    t.equal((await owner.get(withdrawal)).status, 404);
  });
});

test('a proof that waits for the ledger says so, and can be neither certified nor shared', async (t) => {
  const site = await startDocumentService(t, { unanchored: true });
  const { service, organisationId, key, workspace } = site;
  const owner = await signedIn(service, organisationId);
  const { status, body } = await service.call('POST', '/proofs', {
    key,
    json: { hash: randomDigest(), workspace },
    headers: { prefer: 'respond-async' },
  });
  t.equal(status, 202);
  const path = `/console/documents/${body.data.proofId}`;
  const { text } = await owner.get(path);
  t.match(text, 'No transaction is signed yet');
  t.match(text, 'It can be issued once the proof is on the ledger');
  t.match(text, 'It can be shared once it is on the ledger');
  t.equal((await owner.post(`${path}/certificate`)).status, 409);
});
