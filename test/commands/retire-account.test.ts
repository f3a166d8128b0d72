import { join } from 'node:path';
import { test } from 'tap';
import { retireAccount } from '../../src/commands/retire-account.ts';
import type { SequencesTaken } from '../../src/domain/account/events.ts';
import { streams } from '../../src/domain/streams.ts';
import type { ProofId } from '../../src/domain/ulid.ts';
import { createTestStore } from '../support/event-store.ts';
import { run } from '../support/run.ts';

const [ledgerId, account] = ['1-retiring', 'rBusy'];
const past = 5_000;

test('an account is retired while its holder appends to its long stream all the time', async (t) => {
  const { store, url } = await createTestStore(t);
  const stream = streams.account(ledgerId, account);
  const events = Array.from({ length: past }, (_, sequence): SequencesTaken => {
    const taken = [{ sequence, proofId: `P${sequence}` as ProofId }];
    return { type: 'SequencesTaken', data: { ledgerId, account, taken } };
  });
  await store.append([{ organisationId: null, stream, expectedVersion: 0, events }], {});

  const script = join(import.meta.dirname, '../support/batch-racer.ts');
  const holder = run(t, [process.execPath, script, url, ledgerId, account, String(past)]);
  await holder.said(/ready/);
  await retireAccount(store, { ledgerId, account }, { actor: 'operator' });
  const [, version] = await holder.said(/^(\d+)$/m);
  t.match(await store.readLast(stream), { type: 'AccountRetired', version: Number(version) + 1 });
});
