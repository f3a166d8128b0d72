import { test } from 'tap';
import { loggable } from '../../../src/errors/loggable.ts';
import {
  LogUnconfirmed,
  refuse,
  requireAgreement,
} from '../../../src/transparency-log/guard/check.ts';

const last = { origin: 'proofmark/X', size: 9, root: Buffer.alloc(32) };
const ends = {
  status: 'history-ends',
  network: 'testnet',
  account: 'rX',
  searchedFrom: 9,
} as const;

test('log lines name the kind of failure, and only missing history can be mended', async (t) => {
  const differs = new LogUnconfirmed({ status: 'shorter', last, head: 7 });
  const unknown = new LogUnconfirmed(ends);
  const unfinished = new LogUnconfirmed({ status: 'restore-unfinished', epoch: 2 });
  t.match(loggable(differs), { type: 'LogDiffers', message: /^proofmark\/X was published/ });
  t.match(loggable(unknown), {
    type: 'HistoryTooShort',
    message:
      'no server of testnet shows the transactions of rX before ledger 9: add a server with more history',
  });
  t.match(loggable(unfinished), {
    type: 'RestoreUnfinished',
    message:
      'epoch 2 of the log was opened, but the transactions on the ledger were not reconciled: ' +
      'run `ops log restored` again',
  });
  t.strictSame(
    [differs, unknown, unfinished].map(({ isFinal }) => isFinal),
    [true, false, true],
  );
});

test('accepts a restored backup only if it may be one, and no other difference', async (t) => {
  const shorter = { status: 'shorter', last, head: 7 } as const;
  t.equal(requireAgreement(shorter, { mayBeCopy: true }), null);
  t.throws(() => requireAgreement(shorter), { name: 'LogDiffers' });
  const damaged = { status: 'storage-damaged', last } as const;
  t.throws(() => requireAgreement(damaged, { mayBeCopy: true }), { name: 'LogDiffers' });
  t.throws(() => requireAgreement(ends, { mayBeCopy: true }), { name: 'HistoryTooShort' });
  t.equal(requireAgreement({ status: 'agrees', last }), last);
});

test('refuses verdicts of the given status only', async (t) => {
  const damaged = { status: 'storage-damaged', last } as const;
  const agrees = { status: 'agrees', last } as const;
  t.throws(() => refuse('storage-damaged', damaged), { name: 'LogDiffers', reason: damaged });
  t.throws(() => refuse('history-ends', ends), { name: 'HistoryTooShort', reason: ends });
  t.equal(refuse('other-log', damaged), damaged);
  t.equal(refuse('history-ends', agrees), agrees);
});
