import { setTimeout as sleep } from 'node:timers/promises';
import { type Test, test } from 'tap';
import { readLedgerProofs } from '../../ops/crash/ledger-history.ts';
import { query } from '../embedded/run-service.ts';
import {
  type Answer,
  type Caller,
  dataOf,
  getProof,
  hashOf,
  prove,
  queueProof,
} from '../support/api-client.ts';
import { startHosted } from '../support/ledger-process.ts';
import { onThisMachine } from '../support/on-this-machine.ts';
import { openOrganisation } from '../support/open-organisation.ts';
import { runProgram, startProgram, stop } from '../support/program.ts';
import type { Run } from '../support/run.ts';
import { seededRandom } from '../support/seed.ts';
import { createServiceRole } from '../support/service-role.ts';
import { until } from '../support/until.ts';
import { getJson } from '../support/upload-client.ts';

/** Time in which another process takes over. */
const withinMs = 10_000;

/** Between the calls of one caller: a machine without a moment of rest tests nothing more. */
const pauseMs = 25;

/** The plain scheme makes the ledger show the hash, so a hash anchored twice is detectable. */
const plain = { hashScheme: 'sha256-plain-v1' };

test('with roles split over processes, killing any of them leaves the others working', async (t) => {
  const random = seededRandom(t);
  const role = await createServiceRole(t);
  const {
    env: ofOwner,
    databaseUrl,
    ledger,
    accounts,
    checkpointAccount,
  } = await startHosted(t, { closeMs: 250 });
  const organisation = await openOrganisation(ofOwner);
  // A separate organisation for the load: its proofs must not push the expected one off the first page.
  const busy = await openOrganisation(ofOwner);
  // From here on use the role that can append to the log but not change it.
  const DATABASE_URL = await role.grant(databaseUrl);
  const env = { ...ofOwner, DATABASE_URL };
  const worker = () => startWorker(t, { ...env, ROLES: 'projector,reactor' });
  const addresses = {
    XRPL_TESTNET_ACCOUNTS: accounts.join(),
    XRPL_TESTNET_CHECKPOINT_ACCOUNT: checkpointAccount,
  };
  const api = await startProgram(t, { ...env, ...addresses, ROLES: 'api' });
  const [first, second] = [await worker(), await worker()];
  const caller = { address: api.address, ...organisation };
  await prove(caller, hashOf('before'), plain);

  /** Resolves with the proof once it is anchored and listed, and with the milliseconds until then. */
  const seeThrough = async (text: string) => {
    const begun = performance.now();
    const { proofId } = dataOf(await queueProof(caller, hashOf(text)));
    await until('the proof is anchored', async () => {
      return dataOf(await getProof(caller, proofId)).blockchainStatus === 'completed';
    });
    const anchoredMs = performance.now() - begun;
    await until('the proof is listed', async () => {
      type Listed = readonly { proofId: string }[];
      const { body } = await getJson<Listed>(caller, '/documents?limit=100');
      return body.data?.some((listed) => listed.proofId === proofId);
    });
    return { proofId, anchoredMs, listedMs: performance.now() - begun };
  };
  const posting = keepCalling({ ...busy, address: api.address });
  // Time that this machine needs under this load when nothing is killed.
  const undisturbed = await seeThrough('under load');
  await sleep(random() * 500);
  // The killed process may hold the accounts, the read models or both.
  first.kill('SIGKILL');
  await first.ended;
  const queued = await seeThrough('after the kill');
  t.comment(JSON.stringify({ undisturbed, queued }));
  t.ok(queued.listedMs - undisturbed.listedMs < (await onThisMachine(withinMs)));
  const answers = await posting.stop();
  for (const answer of answers) t.ok(answer.status < 500, JSON.stringify(answer));

  // Without workers the API still answers reads and queues proofs.
  second.kill('SIGKILL');
  await second.ended;
  t.equal((await getProof(caller, queued.proofId)).status, 200);
  const alone = await queueProof(caller, hashOf('without a worker'));
  t.equal(alone.status, 202);
  api.kill('SIGKILL');
  await api.ended;

  // Without the API the workers settle the queued proofs.
  const third = await worker();
  const proofs = await until('the proof is on the ledger', async () => {
    const found = await readLedgerProofs(ledger.url, accounts);
    return found.some(({ fileHash }) => fileHash === dataOf(alone).proofCommitment) && found;
  });
  t.equal(
    new Set(proofs.map(({ fileHash }) => fileHash)).size,
    proofs.length,
    'no hash is anchored twice',
  );
  for (const statement of [
    "UPDATE events SET data = '{}'",
    'DELETE FROM events',
    'TRUNCATE events',
    'ALTER TABLE events DISABLE TRIGGER ALL',
    'DROP TABLE events',
    'UPDATE published_checkpoints SET note = note',
  ]) {
    await t.rejects(query(DATABASE_URL, statement), /permission denied|must be owner/, statement);
  }
  t.match(await stop(third), { code: 0 });
});

/** Starts a process without the API, and waits until its metrics port reports it ready. */
async function startWorker(t: Test, env: Readonly<Record<string, string>>): Promise<Run> {
  const running = runProgram(t, { ...env, METRICS_PORT: '0', LOG_LEVEL: 'info' });
  const [, port] = await running.said(/"port":(\d+),"msg":"metrics are served"/, 'stderr');
  const isReady = async () => (await fetch(`http://127.0.0.1:${port}/readyz`)).ok;
  await until('the worker is ready', isReady);
  return running;
}

/** Reads and writes from several callers at once. */
function keepCalling(caller: Caller) {
  let calling = true;
  const call = async (_: unknown, index: number) => {
    const answers: Pick<Answer, 'status'>[] = [];
    for (let turn = 0; calling; turn += 1) {
      answers.push(await queueProof(caller, hashOf(`${index} ${turn}`)));
      answers.push(await getJson(caller, '/workspaces'));
      await sleep(pauseMs);
    }
    return answers;
  };
  const done = Promise.all(Array.from({ length: 4 }, call));
  return {
    async stop() {
      calling = false;
      return (await done).flat();
    },
  };
}
