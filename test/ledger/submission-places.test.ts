import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Test, test } from 'tap';
import { createGateway } from '../../src/ledger/gateway.ts';
import { LedgerUnavailable } from '../../src/ledger/ledger-unavailable.ts';
import type { ServerConnection } from '../../src/ledger/server-connection.ts';
import { maxUnanswered } from '../../src/ledger/submission-places.ts';
import { Submission } from '../../src/reactors/anchoring/submission.ts';
import { statedLedger, statedServer } from '../support/stated-server.ts';

/** A gateway to servers without a limit, which answer only on demand. */
function mutes(t: Test, count: number) {
  const servers = Array.from({ length: count }, (_, place) => {
    const waiting: PromiseWithResolvers<unknown>[] = [];
    const stated = statedServer(statedLedger(10, 1_000));
    const submit = async <Result>() => {
      const answer = Promise.withResolvers<unknown>();
      waiting.push(answer);
      return (await answer.promise) as Result;
    };
    const connection = { ...stated, name: `wss://server-${place}`, submit } as ServerConnection;
    return { waiting, connection, stated };
  });
  const gateway = createGateway(
    'testnet',
    servers.map(({ connection }) => connection),
  );
  t.teardown(() => gateway.close());
  const unanswered = () => servers.map(({ waiting }) => waiting.length);
  return { servers, gateway, unanswered };
}

const taken = { engine_result: 'tesSUCCESS', validated_ledger_index: 10 };

test('no server has more than ninety submissions without an answer', async (t) => {
  const { servers, gateway, unanswered } = mutes(t, 4);
  const [first, second] = servers;
  const submissions = Array.from({ length: 3 * maxUnanswered + 10 }, () => gateway.submit('00'));
  t.strictSame(unanswered(), [90, 90, 90, 10], 'the next one with room gets it');
  for (let more = 0; more < 100; more++) submissions.push(gateway.submit('00'));
  await nextTurn();
  t.strictSame(unanswered(), [90, 90, 90, 90]);
  t.equal(gateway.submissionsWaiting(), 0, 'no limit of a server is the reason');
  for (const { resolve } of second?.waiting.splice(0, 5) ?? []) resolve(taken);
  await nextTurn();
  t.strictSame(unanswered(), [90, 90, 90, 90], 'those that waited have the places');
  first?.waiting.pop()?.reject(new LedgerUnavailable('no answer'));
  await nextTurn();
  t.strictSame(unanswered(), [90, 90, 90, 90], 'one fails, and waits for the next server');
  for (let round = 0; round < 10; round++) {
    for (const { waiting } of servers) for (const one of waiting.splice(0)) one.resolve(taken);
    await nextTurn();
  }
  t.equal((await Promise.all(submissions)).length, 380);
});

test('anchoring fills the places of all servers, and no more', async (t) => {
  const { gateway, unanswered } = mutes(t, 4);
  const submission = new Submission(gateway);
  const backlog = Array.from({ length: 500 }, (_, place) => ({
    ...{ ledgerId: '1', transactionHash: `${place}`, blob: '00', account: 'r', sequence: place },
    ...{ minLedger: 10, feeDrops: 10, lastLedgerSequence: 1_000, replaces: null },
  }));
  await submission.send(backlog, 10);
  submission.fill({ ledgerId: '1', byAccount: new Map([['r', backlog.length]]) });
  t.strictSame(unanswered(), [90, 90, 90, 90]);
});
