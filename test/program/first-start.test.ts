import { type Test, test } from 'tap';
import { type Answer, dataOf, getProof, postProof, recipe, verify } from '../support/api-client.ts';
import { newDataDir, startProgram, stop, welcomeOf } from '../support/program.ts';
import { run } from '../support/run.ts';

test('the first start prints a key and a curl line that anchors a proof anyone can verify', async (t) => {
  const dataDir = await newDataDir(t);
  const program = await startProgram(t, { DATA_DIR: dataDir });
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
  const { fileHash } = dataOf(await getProof(caller, created.proofId));
  const { data } = (await verify(address, created.txHash)).body;
  t.match(data, { verified: true, network: 'testnet', transactionHash: created.txHash });
  t.match(fileHash, /^[a-f0-9]{64}$/);
  t.equal(data?.memo.fileHash, recipe(String(fileHash), created));
  t.equal(data?.memo.fileHash, created.proofCommitment);

  const again = await runCurl(t, curl);
  t.match(again, { status: 200, body: { alreadyProven: true } }, 'the proof that there is');
  t.match(await stop(program), { code: 0, signal: null });

  const second = await startProgram(t, { DATA_DIR: dataDir });
  const kept = await postProof({ ...caller, address: second.address }, String(fileHash));
  t.match(kept, { status: 200, body: { alreadyProven: true, data: { txHash: created.txHash } } });
  const { stdout, stderr, code } = await stop(second);
  t.equal(code, 0);
  t.equal(stdout, `Proofmark listens on ${second.address}\n`, 'and no second key');
  t.equal(stderr, '');
});

/** Runs the line as an operator does who pastes it into a shell. */
async function runCurl(t: Test, line: string): Promise<Answer> {
  const { stdout } = await run(t, ['/bin/sh', '-c', `${line} -w '\n%{http_code}'`]).ended;
  const [body = '', status] = stdout.split('\n');
  return { status: Number(status), body: JSON.parse(body) as Answer['body'] };
}
