import { setTimeout as sleep } from 'node:timers/promises';
import { type Test, test } from 'tap';
import {
  type Caller,
  getProof,
  hashOf,
  postProof,
  queueProof,
  readiness,
} from '../support/api-client.ts';
import { startHosted } from '../support/ledger-process.ts';
import { onThisMachine } from '../support/on-this-machine.ts';
import { openOrganisation } from '../support/open-organisation.ts';
import { runProgram, startProgram } from '../support/program.ts';
import { openReplaceDatabase } from '../support/replace-database.ts';
import { until } from '../support/until.ts';
import { getJson } from '../support/upload-client.ts';

const withinMs = 5_000;

test('processes continue after a failover, and end when the database goes back', async (t) => {
  const { replaced, caller, processes } = await startSplit(t);
  const { api, idle, reactor } = processes;

  // A promoted database has every event: the processes go on, and no accepted proof is lost.
  const before = keepPosting(caller);
  await until('calls are under way', async () => before.answers.length > 20);
  await replaced.failOver();
  await accepted(caller, 'after the failover');
  await before.stop();
  const proofs = before.answers.flatMap(({ proofId }) => proofId ?? []);
  t.comment(`${proofs.length} proofs were accepted before and after a failover`);
  const found = await Promise.all(proofs.map((proofId) => getProof(caller, proofId)));
  t.same(new Set(found.map(({ status }) => status)), new Set([200]));

  await replaced.keep();
  const callers = [caller, { ...caller, address: idle.address }];
  await seenByAll(callers, await accepted(caller, 'lost'));
  // With the reactor stopped nothing is signed, so a call waits for the ledger.
  reactor.kill('SIGSTOP');
  const waiting = postProof(caller, hashOf('waiting')).catch(() => ({ status: 0 }));
  const posting = keepPosting(caller);
  await until('calls are under way', async () => posting.answers.length > 20);
  await replaced.goBack();
  const wentBackAt = performance.now();
  reactor.kill('SIGCONT');
  await api.said(/"level":"fatal"/, 'stderr');
  const ready = await readiness(api.address).catch(() => null);
  t.ok(ready === null || ready.status === 503, 'not ready while it ends');
  t.equal((await api.ended).code, 1);
  const apiMs = performance.now() - wentBackAt;
  for (const [name, running] of Object.entries(processes)) {
    const { code, stderr } = await running.ended;
    const fatal = stderr.split('\n').filter((line) => line.includes('"level":"fatal"'));
    t.equal(code, 1, name);
    t.equal(fatal.length, 1, `${name} logs the reason once`);
    t.match(
      fatal[0],
      /"msg":"the database was restored to an earlier state: .*event .* This process ends/,
    );
  }
  const allMs = performance.now() - wentBackAt;
  await posting.stop();
  const lost = posting.answers.filter(
    ({ at, status }) => at > wentBackAt && status >= 200 && status < 300,
  );
  t.comment(
    `the API ended ${apiMs} ms, all ended ${allMs} ms after the database went back; ${lost.length} calls are lost`,
  );
  t.equal(lost.length, 0);
  const { status } = await waiting;
  t.ok(status === 0 || status >= 500, `the call that waited is answered ${status}`);
  t.ok(allMs < (await onThisMachine(withinMs)));
});

/** Starts a process for each role, and an idle one, on a database that the test can replace. */
async function startSplit(t: Test) {
  const { env, databaseUrl } = await startHosted(t, { closeMs: 250 });
  const organisation = await openOrganisation(env);
  const replaced = await openReplaceDatabase(t, databaseUrl);
  const startApi = () => startProgram(t, { ...env, ROLES: 'api' });
  const worker = async (ROLES: string) => {
    const running = runProgram(t, { ...env, ROLES, METRICS_PORT: '0', LOG_LEVEL: 'info' });
    const [, port] = await running.said(/"port":(\d+),"msg":"metrics are served"/, 'stderr');
    const isReady = async () => (await fetch(`http://127.0.0.1:${port}/readyz`)).ok;
    await until(`the ${ROLES} is ready`, isReady);
    return running;
  };
  const api = await startApi();
  const [idle, projector, reactor] = await Promise.all([
    startApi(),
    worker('projector'),
    worker('reactor'),
  ]);
  const caller = { ...organisation, address: api.address };
  return { replaced, caller, processes: { api, idle, projector, reactor } };
}

/** Posts until a call is accepted; resolves with the proof's id. */
function accepted(caller: Caller, name: string): Promise<string> {
  return until(`"${name}" is accepted`, async () => {
    const { status, body } = await queueProof(caller, hashOf(name));
    return status >= 200 && status < 300 && body.data?.proofId;
  });
}

/** Waits until the proof is anchored and listed, and each API process has read that. */
async function seenByAll(callers: readonly Caller[], proofId: string): Promise<void> {
  for (const caller of callers) {
    await until('it is anchored', async () => {
      const { body } = await getProof(caller, proofId);
      return body.data?.blockchainStatus === 'completed';
    });
    await until('it is listed as anchored', async () => {
      const path = '/documents?limit=100&blockchainStatus=completed';
      const { body } = await getJson<readonly { proofId: string }[]>(caller, path);
      return body.data?.some((one) => one.proofId === proofId);
    });
  }
}

interface Answered {
  readonly at: number;
  /** 0 if no answer came. */
  readonly status: number;
  readonly proofId: string | undefined;
}

/** Posts queued proofs from several callers at once, and records the answers. */
function keepPosting(caller: Caller) {
  let posting = true;
  const answers: Answered[] = [];
  const post = async (_: unknown, side: number) => {
    for (let n = 0; posting; n += 1) {
      const answer = await queueProof(caller, hashOf(`${side} ${n}`)).catch(() => null);
      const { status = 0, body } = answer ?? {};
      answers.push({ at: performance.now(), status, proofId: body?.data?.proofId });
      await sleep(20);
    }
  };
  const done = Promise.all(Array.from({ length: 4 }, post));
  return {
    answers,
    async stop() {
      posting = false;
      await done;
    },
  };
}
