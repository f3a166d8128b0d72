import { test } from 'tap';
import { LedgerUnavailable } from '../../src/ledger/ledger-unavailable.ts';
import { refusalOf, ServerRefused } from '../../src/ledger/server-refused.ts';

const refusal = (error: string) => refusalOf({ status: 'error', error });

test('a server that cannot serve now counts as one that does not answer, so the next one is asked', async (t) => {
  // The codes with which rippled 2.3 answers before a command is run (rpc/detail/Handler.h).
  const unable = ['notSynced', 'noNetwork', 'noCurrent', 'noClosed', 'notReady'];
  for (const code of [...unable, 'tooBusy', 'slowDown', 'amendmentBlocked', 'unlBlocked']) {
    t.ok(refusal(code) instanceof LedgerUnavailable, code);
  }
});

test('any other error is an answer', async (t) => {
  for (const code of ['txnNotFound', 'actNotFound', 'lgrNotFound']) {
    const answered = refusal(code);
    t.ok(answered instanceof ServerRefused, code);
    t.match(answered, { code });
  }
  t.equal(refusalOf({ status: 'success', result: {} }), null);
});
