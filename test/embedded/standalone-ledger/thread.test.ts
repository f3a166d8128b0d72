import { test } from 'tap';
import { startStandaloneLedgerThread } from '../../../src/embedded/standalone-ledger/start-standalone-ledger-thread.ts';
import { until } from '../../support/until.ts';
import { connect } from './raw-connection.ts';

test('the ledger runs in a thread, closes by itself and stops', async (t) => {
  const thread = await startStandaloneLedgerThread({ closeMs: 20, networkId: 9 });
  const connection = await connect(thread.url);
  await connection.ask({ command: 'subscribe', streams: ['ledger'] });
  let pushed = 0;
  await until('two ledgers have closed', async () => {
    pushed += (await connection.takePushed()).length;
    return pushed > 1;
  });
  t.match(await connection.result({ command: 'server_info' }), { info: { network_id: 9 } });
  await thread.stop();
  await thread.stop();
  await t.rejects(connect(thread.url));
});

test('a taken port rejects with its code', async (t) => {
  const thread = await startStandaloneLedgerThread();
  t.teardown(() => thread.stop());
  await t.rejects(startStandaloneLedgerThread({ port: thread.port }), { code: 'EADDRINUSE' });
});
