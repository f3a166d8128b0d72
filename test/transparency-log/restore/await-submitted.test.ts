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
  const waited = wait([{ ...mark, lastLedger: 150 }]);
  await says();
  t.match(servers.said, [/^waiting for ledger 153 of testnet/]);
  servers.status.next(at(153));
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
