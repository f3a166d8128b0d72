import { createHash } from 'node:crypto';
import { test } from 'tap';
import { commit } from '../../../src/domain/proof/commit.ts';
import type { Digest } from '../../../src/domain/proof/digest.ts';
import { streams } from '../../../src/domain/streams.ts';
import { subjectOfOrganisation } from '../../../src/http/limits/count-calls.ts';
import { createShares } from '../../../src/http/shares/create-shares.ts';
import { signedIn } from '../../support/console-person.ts';
import { plenty, startHttpService } from '../../support/http-service.ts';
import { liveReader } from '../../support/live-reader.ts';
import { createScriptedAnchoring, randomDigest } from '../../support/scripted-anchoring.ts';

test('owners prove in the console by the commands of the API', async (t) => {
  const shares = createShares({ answers: { waitMs: 100 } });
  const service = await startHttpService(t, {
    services: { limits: { addressRequestsPerMinute: 100_000 }, calls: { shares } },
  });
  const { store, services } = service;
  (await createScriptedAnchoring(store, { signal: services.events.signal })).follow(t);
  const { organisationId, workspaceId, key } = await service.openOrganisation();
  const owner = await signedIn(service, organisationId);
  const other = await service.openOrganisation();
  const hashes = async (items: readonly object[], workspace: string = workspaceId) => {
    const { status, text } = await owner.order('/console/prove/hashes', { workspace, items });
    return { status, body: JSON.parse(text) };
  };

  await t.test(
    'a hash is queued with its nonce, given once, and the event names the person',
    async (t) => {
      const hash = randomDigest();
      const reader = await liveReader(t, owner);
      const { status, body } = await hashes([{ hash, fileName: 'a.txt', fileSize: 3 }]);
      t.equal(status, 202);
      const [{ data }] = body.data.map((each: { body: object }) => each.body);
      t.equal(data.proofCommitment, commit(data.proofNonce, hash as Digest));
      const [event] = await store.readStream(streams.proof(data.proofId));
      t.match(event, {
        type: 'ProofRequested',
        meta: { actor: 'console', personId: owner.personId },
      });
      t.notOk(event?.meta.keyId);
      await reader.until('proof', (each) => {
        const { proofId, status } = each.data as { proofId: string; status: string };
        return proofId === data.proofId && status === 'completed';
      });
      await reader.close();
      const again = await hashes([{ hash }]);
      const [known] = again.body.data;
      t.match(known, { body: { alreadyProven: true, data: { proofId: data.proofId } } });
      t.notOk(known.body.data.proofNonce, 'the nonce was given');
      const ask = () => owner.order('/console/prove/certificate', { proofId: data.proofId });
      let answer = await ask();
      // The first certificate of a process may take longer than an answer on a busy machine.
      for (let tries = 0; answer.status === 503 && tries < 5; tries += 1) answer = await ask();
      const { status: got, headers } = answer;
      t.equal(got, 200);
      t.equal(headers.get('content-type'), 'application/pdf');
      const giveBack = await shares.answers.take(organisationId, Number.MAX_SAFE_INTEGER);
      t.equal((await ask()).status, 429, 'a large answer has a share of the memory');
      giveBack();
      t.equal((await ask()).status, 200);
    },
  );

  await t.test('hashes and certificates count as the calls of a key do', async (t) => {
    const counted = async () => {
      const subject = subjectOfOrganisation(organisationId);
      const limits = { perMinute: plenty.requestsPerMinute, perDay: plenty.requestsPerDay };
      const looked = await services.limits.limiter.look([{ subject, limits, of: 'organisation' }]);
      const day = looked?.windows.find(({ name }) => name === 'organisation-day');
      return limits.perDay - (day?.remaining ?? limits.perDay);
    };
    const before = await counted();
    const { status, body } = await hashes([{ hash: randomDigest() }]);
    t.equal(status, 202);
    t.equal(await counted(), before + 1);
    const { proofId } = body.data[0].body.data;
    t.equal((await owner.order('/console/prove/certificate', { proofId: 'odd' })).status, 400);
    t.equal(await counted(), before + 2);
    await owner.order('/console/prove/certificate', { proofId });
    t.equal(await counted(), before + 3);
  });

  await t.test('a file is uploaded only if asked, and then kept', async (t) => {
    const bytes = Buffer.from('the first page of a contract');
    const form = new FormData();
    form.append('workspace', workspaceId);
    form.append('file', new Blob([bytes]), 'contract.txt');
    const send = (headers: Record<string, string>) =>
      fetch(`${owner.site.url}/console/prove/file`, {
        method: 'POST',
        headers: { cookie: owner.cookie, origin: owner.site.origin, ...headers },
        body: form,
      });
    t.equal((await send({})).status, 401, 'without the token of the session');
    const answer = await send({ 'x-console-token': owner.formToken });
    t.equal(answer.status, 202);
    const { data } = (await answer.json()) as { data: Record<string, string> };
    t.equal(data.fileHash, createHash('sha256').update(bytes).digest('hex'));
    t.ok(data.proofNonce);
    const file = await service.call('GET', `/documents/${data.documentId}/file`, { key });
    t.equal(file.text, bytes.toString());
    const [event] = await store.readStream(streams.document(data.documentId as never));
    t.match(event?.meta, { actor: 'console', personId: owner.personId });
  });

  await t.test('each item is judged for itself, and a call has at most 100', async (t) => {
    const { body } = await hashes([{ hash: randomDigest() }, { hash: 'no hash' }]);
    t.strictSame(
      body.data.map(({ status }: { status: number }) => status),
      [202, 400],
    );
    const many = Array.from({ length: 101 }, () => ({ hash: randomDigest() }));
    t.equal((await hashes(many)).status, 400);
    const large = [{ hash: randomDigest(), metadata: { text: 'x'.repeat(300_000) } }];
    t.equal((await hashes(large)).status, 413);
  });

  await t.test('what belongs to another organisation does not exist', async (t) => {
    const foreign = await hashes([{ hash: randomDigest() }], other.workspaceId);
    const unknown = await hashes([{ hash: randomDigest() }], '01ARZ3NDEKTSV4RRFFQ69G5FAV');
    t.equal(foreign.status, 400);
    t.equal(foreign.body.code, 'INVALID_WORKSPACE');
    t.equal(unknown.body.message, foreign.body.message);
    const stranger = await signedIn(service, other.organisationId, { email: 's@example.org' });
    const { body } = await hashes([{ hash: randomDigest() }]);
    const ask = async (proofId: string) => {
      const { status, text } = await stranger.order('/console/prove/certificate', { proofId });
      return { status, code: JSON.parse(text).code };
    };
    const theirs = await ask(body.data[0].body.data.proofId);
    t.strictSame(theirs, { status: 404, code: 'PROOF_NOT_FOUND' });
    t.strictSame(theirs, await ask('01ARZ3NDEKTSV4RRFFQ69G5FAV'));
  });

  await t.test('an organisation without API access proves nothing here either', async (t) => {
    const free = await service.openOrganisation('free');
    const person = await signedIn(service, free.organisationId);
    const items = [{ hash: randomDigest() }];
    const order = { workspace: free.workspaceId, items };
    const { status, text } = await person.order('/console/prove/hashes', order);
    t.equal(status, 403);
    t.match(text, 'API_ACCESS_DISABLED');
  });
});
