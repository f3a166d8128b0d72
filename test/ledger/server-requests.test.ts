import { filter, firstValueFrom, timeout } from 'rxjs';
import { type Test, test } from 'tap';
import { superviseServer } from '../../src/ledger/server-connection.ts';
import { askAccount, submitTo } from '../../src/ledger/server-requests.ts';
import { scriptedResults, startScriptedServer } from '../support/scripted-server.ts';

const account = 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh';

async function connect(t: Test, results: Readonly<Record<string, unknown>>) {
  const url = await startScriptedServer(t, { ...scriptedResults, ...results });
  const server = superviseServer({ url, networkId: 1 });
  t.teardown(() => server.close());
  const isReady = filter(({ state }: { readonly state: string }) => state === 'ready');
  await firstValueFrom(server.status.pipe(isReady, timeout(20_000)));
  return server;
}

for (const sequence of [1.5, 0, -1, 2 ** 32, '7', null]) {
  test(`an account is not believed to have the Sequence ${JSON.stringify(sequence)}`, async (t) => {
    const data = { Sequence: sequence, Balance: '1000', Flags: 0, OwnerCount: 0 };
    const server = await connect(t, { account_info: { account_data: data } });
    await t.rejects(askAccount(server, account), { name: 'LedgerUnavailable' });
  });
}

for (const stated of ['x', {}, 1.5, null]) {
  test(`an answer to submit names no ledger by ${JSON.stringify(stated)}`, async (t) => {
    const answer = { engine_result: 'tesSUCCESS', engine_result_message: 'Applied.' };
    const server = await connect(t, { submit: { ...answer, validated_ledger_index: stated } });
    t.match(await submitTo(server, '00'), { engineResult: 'tesSUCCESS', validatedLedger: 0 });
  });
}
