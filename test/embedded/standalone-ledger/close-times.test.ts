import { test } from 'tap';
import { startLedger } from './test-ledger.ts';

const epochMs = 946_684_800_000;

test('close times follow the clock within the rounding, however fast ledgers close', async (t) => {
  const second = 1_000;
  let nowMs = Date.parse('2026-11-21T01:00:03.250Z');
  const { ledger, connection } = await startLedger(t, { clock: () => nowMs });
  const closedAt = async () => {
    await ledger.close();
    const { ledger: closed } = await connection.result({
      command: 'ledger',
      ledger_index: 'validated',
    });
    return epochMs + Number((closed as { close_time: number }).close_time) * second;
  };
  const check = async (count: number, stepMs: number) => {
    let parent = 0;
    for (let closed = 0; closed < count; closed += 1) {
      nowMs += stepMs;
      const closeTime = await closedAt();
      t.ok(closeTime <= nowMs + 5 * second, `${closeTime - nowMs} ms ahead`);
      t.ok(closeTime >= nowMs - 6 * second, `${nowMs - closeTime} ms behind`);
      t.ok(closeTime >= parent, 'never goes back');
      parent = closeTime;
    }
  };
  await check(40, 0);
  await check(40, 40);
  await check(20, 1_000);
  await check(5, 7_000);
});

test('close times differ on a ledger that closes as slowly as a real one', async (t) => {
  let nowMs = Date.parse('2026-11-21T01:00:00.000Z');
  const { ledger, connection } = await startLedger(t, { clock: () => nowMs });
  const seen = new Set<unknown>();
  for (let closed = 0; closed < 10; closed += 1) {
    nowMs += 3_000;
    await ledger.close();
    const { ledger: last } = await connection.result({
      command: 'ledger',
      ledger_index: 'validated',
    });
    seen.add((last as { close_time: number }).close_time);
  }
  t.equal(seen.size, 10);
});
