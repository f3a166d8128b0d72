import tap, { test } from 'tap';
import { TimestampAudit } from '../../../../ops/audit/anchors/timestamp-audit.ts';
import { faultInWords } from '../../../../ops/audit/findings/fault.ts';
import { Findings } from '../../../../ops/audit/findings/findings.ts';
import type { PastTree } from '../../../../ops/audit/history/past-tree.ts';
import type { CheckpointMemo } from '../../../../src/domain/log/checkpoint-memo.ts';
import { verifyToken } from '../../../../src/timestamps/verify-token.ts';
import { textOf } from '../../../../src/transparency-log/checkpoint/checkpoint.ts';
import { createTimestampAuthority } from '../../../support/timestamp-authority.ts';
import { WrittenLog } from '../../../support/written-log.ts';

const logId = '01M7XT7TX5VQ3R4S5T6V7W8X9Y';
const past: PastTree = { epochs: null, stream: `log-${logId}`, hasRoot: () => true };
const memo: CheckpointMemo = {
  ...{ origin: `proofmark/${logId}`, size: 4, rootHash: 'ab'.repeat(32) },
};
const authority = await createTimestampAuthority(tap);
const stranger = await createTimestampAuthority(tap);
const token = await authority.tokenOf(
  await authority.answer(await authority.queryFor(textOf(memo))),
);
const stamped = await verifyToken(token, { data: textOf(memo), roots: [authority.root] });
const hour = 3_600_000;

/** A log with an anchored checkpoint and its token. */
function begin({ standalone = false, closed = Date.now() - hour } = {}): WrittenLog {
  const log = new WrittenLog();
  log.append('ledger-1', 'LedgerJoined', { ledgerId: '1', standalone });
  const closeTimeIso = new Date(closed).toISOString();
  log.append(`log-${logId}`, 'CheckpointAnchored', { ...memo, ledgerId: '1', closeTimeIso });
  stampIn(log, `timestamp-${logId}-${memo.rootHash}`);
  return log;
}

function stampIn(log: WrittenLog, stream: string): void {
  const data = { ...memo, ...stamped, token: token.toString('base64') };
  log.append(stream, 'CheckpointTimestamped', data);
}

async function audit(
  log: WrittenLog,
  { roots = null, recorded = Date.now() }: { roots?: Uint8Array[] | null; recorded?: number } = {},
) {
  const findings = new Findings();
  const timestamps = new TimestampAudit({ roots, findings });
  const recorded_at = new Date(recorded).toISOString();
  for (const row of log.rows) await timestamps.add({ ...row, recorded_at }, past);
  const { faults, compared } = findings.report();
  return { faults: faults.map(faultInWords), compared: compared.timestamps };
}

test('a token of openssl for an anchored checkpoint is no fault', async (t) => {
  t.strictSame(await audit(begin()), { faults: [], compared: 1 });
  t.strictSame(await audit(begin(), { roots: [authority.root] }), { faults: [], compared: 1 });
});

test('a token of other data, with another time, or in another place is a fault', async (t) => {
  const at = '^timestamps position 3 \\(data\\): ';
  const changes: readonly [object, string][] = [
    [{ rootHash: 'cd'.repeat(32) }, 'the token is not the only event of the stream of its'],
    [{ size: 3 }, 'no earlier event anchors the checkpoint of the token'],
    [{ size: '4' }, 'the event does not contain the token of a checkpoint'],
    [{ origin: 'example.com/log' }, 'no earlier event anchors the checkpoint of the token'],
    [{ time: '2026-01-01T00:00:00Z' }, `the token states the time ${stamped.time}, but the event`],
    [{ token: '' }, 'the token '],
    [{ token: token.subarray(0, -1).toString('base64') }, 'the token '],
  ];
  for (const [change, expected] of changes) {
    const log = begin();
    log.rewrite('CheckpointTimestamped', change);
    const { faults } = await audit(log);
    t.match(faults[0], new RegExp(at + expected), JSON.stringify(change).slice(0, 60));
  }
  const other = begin();
  other.rewrite('CheckpointTimestamped', { size: 3 });
  t.match((await audit(other)).faults[1], /the token is of other data than the checkpoint$/);
  const twice = begin();
  stampIn(twice, `timestamp-${logId}-${memo.rootHash}`);
  t.match((await audit(twice)).faults, [/^timestamps position 4 .* is not the only event/]);
  const late = begin({ closed: Date.now() + hour });
  t.match((await audit(late)).faults, [/before the ledger with the checkpoint closed at 20/]);
  const ahead = begin({ standalone: true, closed: Date.now() + hour });
  t.strictSame((await audit(ahead)).faults, [], 'the clock of a standalone ledger is not compared');
  const early = await audit(begin(), { recorded: Date.now() - 25 * hour });
  t.match(early.faults, [/a day or more after it was recorded$/]);
});

test('a token that an insider made is a fault for an auditor who knows the authority', async (t) => {
  const forged = await audit(begin(), { roots: [stranger.root] });
  t.match(forged.faults, [/no certificate of --tsa-ca vouches for the token: /]);
  const altered = begin();
  const bytes = Buffer.from(token);
  bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1;
  altered.rewrite('CheckpointTimestamped', { token: bytes.toString('base64') });
  t.strictSame((await audit(altered)).faults, [], 'the signature is not looked at');
  t.match((await audit(altered, { roots: [authority.root] })).faults, [/--tsa-ca vouches/]);
  const renamed = begin();
  renamed.rewrite('CheckpointTimestamped', { authority: 'CN=another' });
  t.match((await audit(renamed, { roots: [authority.root] })).faults, [
    /signed the token, but the event names CN=another$/,
  ]);
});
