import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { test } from 'tap';
import { Wallet } from 'xrpl';
import { fundAccounts } from '../../../src/embedded/fund-accounts.ts';
import { until } from '../../support/until.ts';
import { isRecord } from './compare-answers.ts';
import { connect, type RawConnection } from './raw-connection.ts';
import { TestAccount } from './test-ledger.ts';

const program = resolve(import.meta.dirname, '../../../ops/run-ledger.ts');

/** Starts the program and resolves with its URL once printed. */
async function run(
  environment: Record<string, string>,
): Promise<{ process: ChildProcess; url: string }> {
  const child = spawn(process.execPath, [program], {
    env: { ...process.env, PORT: '0', ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  for await (const line of createInterface({ input: child.stdout })) {
    const url = /ws:\/\/[^ ,]+/.exec(line)?.[0];
    if (url !== undefined) return { process: child, url };
  }
  throw new Error('the ledger said nothing');
}

async function load(connection: RawConnection, account: TestAccount): Promise<void> {
  for (;;) await connection.ask({ command: 'submit', tx_blob: account.sign().tx_blob });
}

test('ledgers announced as validated survive a kill under load', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'standalone-ledger-'));
  t.teardown(() => rmSync(folder, { recursive: true, force: true }));
  const environment = { DATA_DIR: folder, STANDALONE_CLOSE_MS: '40' };
  const first = await run(environment);
  t.teardown(() => first.process.kill('SIGKILL'));
  const wallet = Wallet.generate();
  await fundAccounts({ url: first.url, addresses: [wallet.address], xrp: 1000 });
  const connection = await connect(first.url);
  await connection.ask({
    command: 'subscribe',
    streams: ['ledger', 'transactions'],
    api_version: 2,
  });
  const info = await connection.result({ command: 'account_info', account: wallet.address });
  const sequence = isRecord(info.account_data) ? Number(info.account_data.Sequence) : 0;
  void load(connection, new TestAccount(wallet, sequence));
  const announced = connection.pushed;
  const ofType = (wanted: string) => announced.filter(({ type }) => type === wanted);
  await until('some ledgers with transactions are announced', async () => {
    return ofType('ledgerClosed').length > 20 && ofType('transaction').length > 100;
  });
  first.process.kill('SIGKILL');
  await once(first.process, 'exit');

  const ledgers = ofType('ledgerClosed');
  const transactions = ofType('transaction');
  const second = await run(environment);
  t.teardown(() => second.process.kill('SIGKILL'));
  const again = await connect(second.url);
  for (const { ledger_index, ledger_hash } of ledgers) {
    t.match(await again.result({ command: 'ledger', ledger_index }), { ledger_hash });
  }
  for (const { hash, ledger_index } of transactions) {
    const found = await again.result({ command: 'tx', transaction: hash, api_version: 2 });
    t.match(found, { validated: true, ledger_index });
  }
  again.close();
  second.process.kill('SIGTERM');
  const [code] = await once(second.process, 'exit');
  t.equal(code, 0, 'SIGTERM stops the ledger in good order');
});

test('a taken port is reported in one line', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'standalone-ledger-'));
  t.teardown(() => rmSync(folder, { recursive: true, force: true }));
  const first = await run({ DATA_DIR: folder });
  t.teardown(() => first.process.kill('SIGKILL'));
  const { port } = new URL(first.url);
  const second = spawn(process.execPath, [program], {
    env: { ...process.env, PORT: port, DATA_DIR: folder },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  second.stderr.on('data', (text) => {
    said += text;
  });
  const [code] = await once(second, 'close');
  t.equal(code, 1);
  t.match(said, new RegExp(`^Port ${port} of 127.0.0.1 is taken[^\\n]*\\n$`));
});
