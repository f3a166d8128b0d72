import { test } from 'tap';
import { readLedgerProofs } from '../../ops/crash/ledger-history.ts';
import { dataOf, hashOf, postProof, readiness, verify } from '../support/api-client.ts';
import { startHostedOnProcess } from '../support/ledger-process.ts';
import { openOrganisation } from '../support/open-organisation.ts';
import { countEventsAt, ready, startProgram, stop } from '../support/program.ts';
import { until } from '../support/until.ts';

test('during a ledger outage and after it', async (t) => {
  const { env, databaseUrl, ledger, accounts } = await startHostedOnProcess(t, { closeMs: 1_000 });
  const organisation = await openOrganisation(env);
  const program = await startProgram(t, { ...env, PROOF_WAIT_MS: '6000', LOG_LEVEL: 'fatal' });
  const { address } = program;
  const caller = { address, ...organisation };
  const count = (type: string) => countEventsAt(databaseUrl, type);
  const anchored = async (hash: string) => {
    const commitment = dataOf(await postProof(caller, hash)).proofCommitment;
    const proofs = await readLedgerProofs(ledger.url, accounts);
    return proofs.filter(({ fileHash }) => fileHash === commitment).length;
  };
  /** A call may miss a ledger on a busy machine, and end before the next one. */
  const prove = (hash: string) =>
    until('it is anchored', async () =>
      [200, 201].includes((await postProof(caller, hash)).status),
    );
  await prove(hashOf('before'));

  await t.test(
    'a proof signed before the ledger froze completes when the ledger continues',
    async (t) => {
      const hash = hashOf('signed');
      const prepared = await count('AnchorPrepared');
      ledger.current().kill('SIGSTOP');
      const answer = await postProof(caller, hash);
      t.match(answer, { status: 502, body: { success: false, code: 'PROOF_NOT_RECORDED' } });
      t.equal(await count('AnchorPrepared'), prepared + 1, 'the transaction was signed');
      const joined = await postProof(caller, hash);
      t.match(
        joined,
        { status: 502, body: { code: 'PROOF_NOT_RECORDED' } },
        'the proof stays queued',
      );

      const completed = await count('Anchored');
      ledger.current().kill('SIGCONT');
      await until(
        'the proof completes without another call',
        async () => (await count('Anchored')) > completed,
      );
      const again = await postProof(caller, hash);
      t.match(again, { status: 200, body: { alreadyProven: true } });
      t.match(await verify(address, dataOf(again).txHash), { body: { data: { verified: true } } });
      t.equal(await anchored(hash), 1, 'one transaction');
      t.equal(await count('AnchorPrepared'), prepared + 1, 'signed once');
    },
  );

  await t.test(
    'a signed proof completes when the ledger was killed before reading its transaction',
    async (t) => {
      const hash = hashOf('lost');
      await prove(hashOf('just before'));
      ledger.current().kill('SIGSTOP');
      const answer = await postProof(caller, hash);
      t.match(answer, { status: 502, body: { code: 'PROOF_NOT_RECORDED' } });
      const completed = await count('Anchored');
      const prepared = await count('AnchorPrepared');
      ledger.current().kill('SIGKILL');
      await ledger.restart();
      await until(
        'the proof completes without another call',
        async () => (await count('Anchored')) > completed,
      );
      t.match(await postProof(caller, hash), { status: 200, body: { alreadyProven: true } });
      t.equal(await anchored(hash), 1, 'one transaction');
      t.equal(await count('AnchorPrepared'), prepared, 'the same transaction is submitted again');
    },
  );

  await t.test('a proof without a signed transaction is rolled back', async (t) => {
    const hash = hashOf('unsigned');
    const prepared = await count('AnchorPrepared');
    const released = await count('HashReleased');
    ledger.current().kill('SIGKILL');
    await ledger.current().ended;
    const notReady = await until('not ready', async () => {
      const seen = await readiness(address);
      return seen.status === 503 && seen.body;
    });
    t.match(notReady, { success: false, code: 'SERVICE_UNAVAILABLE' });
    t.match(notReady.notReady, [/^ledger standalone: /]);
    t.equal((await fetch(`${address}/healthz`)).status, 200);
    const answer = await postProof(caller, hash);
    t.match(answer, { status: 502, body: { success: false, code: 'XRPL_ERROR' } });
    t.equal(await count('AnchorPrepared'), prepared, 'nothing was signed');
    t.equal(await count('HashReleased'), released + 1);

    await ledger.restart();
    await ready(address);
    await prove(hash);
    t.equal(await anchored(hash), 1, 'one transaction');
  });

  const proofs = await readLedgerProofs(ledger.url, accounts);
  t.equal(proofs.length, 5, 'no hash was anchored twice');
  t.match(await stop(program), { code: 0 });
});
