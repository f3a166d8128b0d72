import { type Test, test } from 'tap';
import type { Bundle } from '../../src/verifier/bundle/bundle.ts';
import { isAttested } from '../../src/verifier/check/attestation-of.ts';
import { statedPublisher } from '../../src/verifier/evidence/validator-list.ts';
import { type Answer, dataOf, getProof, postProof, recipe, verify } from '../support/api-client.ts';
import { readDocument } from '../support/documents.ts';
import { followGuide, newReader } from '../support/follow-guide.ts';
import { liftLimits } from '../support/lift-limits.ts';
import { ledgerOf } from '../support/own-ledger.ts';
import { emptyDataDir, startProgram, stop, welcomeOf } from '../support/program.ts';
import { run } from '../support/run.ts';
import { startReceiver } from '../support/webhook-receiver.ts';

test('the first start prints a key and a curl line that anchors a proof anyone can verify', async (t) => {
  const dataDir = await emptyDataDir(t);
  const webhooks = { WEBHOOK_ALLOW_HTTP: 'true', WEBHOOK_ALLOW_PRIVATE: 'true' };
  const program = await startProgram(t, { DATA_DIR: dataDir, ...webhooks });
  const { address } = program;
  t.match(address, /^http:\/\/127\.0\.0\.1:\d+$/);
  t.equal((await fetch(`${address}/healthz`)).status, 200);
  t.equal((await fetch(`${address}/readyz`)).status, 200);

  const { key, curl, workspace } = await welcomeOf(program);
  t.match(key, /^svc_live_[A-Za-z0-9]{32}$/);
  const first = await runCurl(t, curl);
  t.match(first, { status: 201, body: { success: true } });
  const created = dataOf(first);
  t.match(created, { hashScheme: 'hmac-sha256-nonce-v3', proofNonce: /^[a-f0-9]{64}$/ });

  const caller = { address, key, workspace };
  const page = `${address}/verify/${created.txHash}`;
  const known = { ledger: 'testnet', standalone: true, verifyUrl: page, verifyPageUrl: page };
  t.match(created, { ...known, requestedAt: /Z$/, timestamp: /Z$/ });
  const { timestamp, requestedAt } = created;
  t.match(dataOf(await getProof(caller, created.proofId)), { ...known, timestamp, requestedAt });
  const rounding = 5_000;
  t.ok(Date.parse(timestamp) <= Date.now() + rounding, 'the clock of the ledger is not ahead');

  const { fileHash } = dataOf(await getProof(caller, created.proofId));
  const { data } = (await verify(address, created.txHash)).body;
  t.match(data, { verified: true, network: 'standalone', transactionHash: created.txHash });
  t.match(fileHash, /^[a-f0-9]{64}$/);
  t.equal(data?.memo.fileHash, recipe(String(fileHash), created));
  t.equal(data?.memo.fileHash, created.proofCommitment);

  const { port } = new URL(address);
  const [, link = ''] = await program.said(/^ {2}(\S+\/console\/join#\S+)$/m);
  t.match(link, new RegExp(`^http://localhost:${port}/console/join#\\w{26}\\.[\\w-]{43}$`));
  const invitation = new URL(link).hash.slice(1);
  const { origin } = new URL(link);
  const invited = await fetch(`${origin}/console/join/options`, {
    method: 'POST',
    headers: { origin, 'content-type': 'application/json' },
    body: JSON.stringify({ invitation }),
  });
  t.equal(invited.status, 200, 'the printed invitation holds');
  t.match(await invited.json(), { role: 'owner' });

  const again = await runCurl(t, curl);
  t.match(again, { status: 200, body: { alreadyProven: true } }, 'the existing proof');
  await t.test('the commands of the guides work in their order', async (t) => {
    await followGuides(t, { dataDir, address, key, workspace });
  });
  t.match(await stop(program), { code: 0, signal: null });

  const second = await startProgram(t, { DATA_DIR: dataDir });
  const kept = await postProof({ ...caller, address: second.address }, String(fileHash));
  t.match(kept, { status: 200, body: { alreadyProven: true, data: { txHash: created.txHash } } });
  const { stdout, stderr, code } = await stop(second);
  t.equal(code, 0);
  t.equal(stdout, `Proofmark listens on ${second.address}\n`, 'no second key is printed');
  t.equal(stderr, '');
});

/** Runs the command line as an operator who pastes it into a shell. */
async function runCurl(t: Test, line: string): Promise<Answer> {
  const { stdout } = await run(t, ['/bin/sh', '-c', `${line} -w '\n%{http_code}'`]).ended;
  const [body = '', status] = stdout.split('\n');
  return { status: Number(status), body: JSON.parse(body) as Answer['body'] };
}

/** Runs every command of the guides against the running program. */
async function followGuides(
  t: Test,
  given: { dataDir: string; address: string; key: string; workspace: string },
): Promise<void> {
  const { dataDir, address, key, workspace } = given;
  await liftLimits(dataDir);
  const receiver = await startReceiver(t);
  const ledger = await ledgerOf(dataDir);
  const own = { url: ledger.url, address: ledger.account };
  const docs = (await (await fetch(`${address}/api/v1/docs`)).json()) as {
    readonly data: { readonly logKeys: readonly string[] };
  };
  const publisherKey = await publisherOf({ address, key });
  const reader = await newReader(t, {
    fixed: {
      ROOT: address,
      API: `${address}/api/v1`,
      KEY: key,
      DATA_DIR: dataDir,
      LEDGER: own.url,
      ACCOUNT: own.address,
      LOG_KEY_LINE: docs.data.logKeys.join(','),
      FILE: 'README.md',
      CERTIFICATE: 'certificate.pdf',
    },
    replacements: [
      [/http:\/\/127\.0\.0\.1:3000/g, () => address],
      [/https:\/\/example\.org\/hooks\/proofmark/g, () => receiver.url],
      [/(?<=Bearer )KEY\b/g, () => key],
      [/(?<=workspace=)WORKSPACE\b/g, () => workspace],
      [/\bTXHASH\b/g, ({ TX_HASH = '' }) => TX_HASH],
      [/\bPROOFNONCE\b/g, ({ PROOF_NONCE = '' }) => PROOF_NONCE],
      [/\bPROOFID\b/g, ({ PROOF_ID = '' }) => PROOF_ID],
      [/\bDOCUMENTID\b/g, ({ DOCUMENT_ID = '' }) => DOCUMENT_ID],
      [/(?<=--ledger )URL\b/g, () => own.url],
      [/(?<=--account )ADDRESS\b/g, () => own.address],
      [/\bPUBLISHERKEY\b/g, () => publisherKey],
      [/(?<=--organisation )ID\b/g, ({ ORGANISATION = '' }) => ORGANISATION],
    ],
  });
  const answer = await fetch(`${address}/api/v1/documents?limit=1`, {
    headers: { Authorization: `Bearer ${key}` },
  });
  const { data } = (await answer.json()) as {
    data: readonly { proofId: string; txHash: string }[];
  };
  const [first] = data;
  const salted = `${address}/api/v1/proofs/${first?.proofId}?includeSalt=true`;
  const known = await fetch(salted, { headers: { Authorization: `Bearer ${key}` } });
  const { data: proof } = (await known.json()) as { data: { proofNonce: string } };
  Object.assign(reader.variables, {
    PROOF_ID: first?.proofId,
    TX_HASH: first?.txHash,
    PROOF_NONCE: proof.proofNonce,
  });
  for (const path of ['README.md', 'docs/verify.md', 'docs/audit.md', 'docs/api.md']) {
    const outputs = await followGuide(t, readDocument(path), reader);
    t.ok(outputs.length > 2, path);
    if (path === 'README.md') {
      const results = outputs.flatMap(
        (output) => /^(Not proven yet|Proven): /m.exec(output)?.[1] ?? [],
      );
      t.strictSame(results, ['Not proven yet', 'Proven'], 'with the signatures alone');
    }
    if (path !== 'docs/verify.md') continue;
    const [sample] = readDocument(path).blocks.filter(({ language }) => language === 'text');
    const [verdict = ''] = outputs;
    for (const line of sample?.text.split('\n') ?? []) {
      const [start = ''] = /^(ok {2,}[a-z]+(?: [a-z]+)?|Proven: .* no later than)/.exec(line) ?? [];
      t.ok(verdict.includes(start), start);
    }
  }
}

/** Publisher of the validator list in the bundle of the newest proof. */
async function publisherOf({ address, key }: { address: string; key: string }): Promise<string> {
  const headers = { Authorization: `Bearer ${key}` };
  const get = async (path: string) => (await fetch(`${address}/api/v1${path}`, { headers })).json();
  const { data } = (await get('/documents?limit=1')) as { data: readonly { proofId: string }[] };
  const bundle = (await get(`/proofs/${data[0]?.proofId}/bundle`)) as Bundle;
  if (!isAttested(bundle)) throw new Error('the bundle has no signatures of validators');
  return statedPublisher(bundle.attestation.validatorList);
}
