import { BehaviorSubject } from 'rxjs';
import { test } from 'tap';
import type { LedgerGateway, LedgerStatus } from '../../../src/ledger/contract.ts';
import { awaitSubmitted } from '../../../src/transparency-log/restore/await-submitted.ts';

const at = (index: number) => ({ connected: true, tip: { index } }) as LedgerStatus;

test('waits for the new ledger after a reset, despite a mark of the old one', async (t) => {
  const status = new BehaviorSubject(at(10));
  const current = () => status.getValue();
  const gateway: Pick<LedgerGateway, 'network' | 'status' | 'current'> = {
    network: 'testnet',
    status,
    current,
  };
  const mark = { origin: 'one', position: 1, leaf: '', network: 'testnet' } as const;
  const marks = [
    { ...mark, lastLedger: 5_000_000 },
    { ...mark, lastLedger: 12 },
    { ...mark, network: 'mainnet', lastLedger: 20 } as const,
  ];
  const said: string[] = [];
  const waited = awaitSubmitted(gateway, marks, (line) => said.push(line));
  t.match(said, [/^waiting for ledger 13 of testnet/]);
  status.next(at(12));
  status.next(at(13));
  await waited;
  await awaitSubmitted(gateway, marks, (line) => said.push(line));
  t.equal(said.length, 1, 'no wait is left');
});
