import { BehaviorSubject } from 'rxjs';
import { test } from 'tap';
import type { LedgerStatus, LedgerTip } from '../../../src/ledger/contract.ts';
import { awaitSubmitted } from '../../../src/transparency-log/restore/await-submitted.ts';
import { until } from '../../support/until.ts';

const closeTime = 825_000_000;
const justAfter = () => new Date('2026-02-21T14:40:10Z');
const at = (index: number, closed = closeTime) =>
  ({ connected: true, tip: { index, hash: '', closeTime: closed } }) as LedgerStatus;
const mark = { origin: 'one', position: 1, leaf: '', network: 'testnet', lastLedger: 12 } as const;

/** Servers with this status that show every ledger, unless they are `lying`. */
function serversAt(first: LedgerStatus) {
  const status = new BehaviorSubject(first);
  const said: string[] = [];
  const servers = { isLying: false, asked: 0, said, status };
  const gateway = {
    network: 'testnet',
    status,
    current: () => status.getValue(),
    async shown(tip: LedgerTip) {
      servers.asked += 1;
      return servers.isLying ? null : tip;
    },
  } as const;
  const wait = (marks: Parameters<typeof awaitSubmitted>[1]) =>
    awaitSubmitted(gateway, marks, (line) => said.push(line), justAfter);
  return { servers, wait, says: () => until('it waits', async () => said.length > 0) };
}

test('waits for the new ledger after a reset, despite a mark of the old one', async (t) => {
  const { servers, wait, says } = serversAt(at(10));
  const marks = [
    { ...mark, lastLedger: 5_000_000 },
    mark,
    { ...mark, network: 'mainnet', lastLedger: 20 } as const,
  ];
  const waited = wait(marks);
  await says();
  t.match(servers.said, [/^waiting for ledger 15 of testnet/]);
  for (const index of [12, 13, 14, 15]) servers.status.next(at(index));
  await waited;
  await wait(marks);
  t.equal(servers.said.length, 1, 'no wait is left');
});

test('waits for servers that lag so far that a mark seems to be of a reset ledger', async (t) => {
  const { servers, wait, says } = serversAt(at(10, closeTime - 600));
  let isOver = false;
  const waited = wait([{ ...mark, lastLedger: 150 }]).then(() => {
    isOver = true;
  });
  await says();
  t.match(servers.said, [/^waiting for the servers of testnet: they lag/]);
  servers.status.next(at(152));
  await until('it waits on', async () => servers.said.length > 1);
  t.match(servers.said[1], /^waiting for ledger 153 of testnet/);
  t.notOk(isOver);
  servers.status.next(at(153));
  await waited;
});

test('a ledger of a server that lags ends no wait, whatever the marks say', async (t) => {
  for (const marks of ['unknown', [], [mark]] as const) {
    const { servers, wait } = serversAt(at(100, closeTime - 600));
    let isOver = false;
    const waited = wait(marks).then(() => {
      isOver = true;
    });
    await until('it is asked', async () => servers.said.length > 0);
    servers.status.next(at(111, closeTime - 560));
    await until('it is asked again', async () => servers.asked > 2);
    t.notOk(isOver, `marks: ${JSON.stringify(marks)}`);
    servers.status.next(at(250));
    await until('it has caught up', async () => isOver || servers.said.length > 1);
    servers.status.next(at(270));
    await waited;
  }
});

test('waits, without marks, for the ledgers that may have closed unseen, too', async (t) => {
  const { servers, wait, says } = serversAt(at(100, closeTime - 40));
  const waited = wait('unknown');
  await says();
  // 50 s after its close, 25 more ledgers may have closed, and a transaction lives for 8.
  t.match(servers.said, [/^waiting for ledger 136 of testnet/]);
  servers.status.next(at(136));
  await waited;
});

test('does not end for a ledger that no server shows', async (t) => {
  const { servers, wait, says } = serversAt(at(30));
  servers.isLying = true;
  const waited = wait([mark]);
  await until('it is asked twice', async () => servers.asked > 1);
  servers.isLying = false;
  servers.status.next(at(10));
  await says();
  servers.status.next(at(15));
  await waited;
  t.match(servers.said, [/^waiting for ledger 15 of testnet/]);
});

test('refuses to go on while no server is connected', async (t) => {
  const { wait } = serversAt({ connected: false, reason: 'gone' });
  await t.rejects(wait([mark]), /no server of testnet is connected \(gone\)/);
  await t.rejects(wait('unknown'), /no server of testnet is connected/);
});
