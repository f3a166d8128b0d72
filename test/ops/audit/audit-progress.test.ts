import { Writable } from 'node:stream';
import tap, { test } from 'tap';
import { auditDatabase } from '../../../ops/audit/audit-database.ts';
import { openAuditSession } from '../../../ops/audit/database/audit-session.ts';
import { Findings } from '../../../ops/audit/findings/findings.ts';
import { openAuditProgress } from '../../../ops/commands/audit-progress.ts';
import { loadConfig } from '../../../src/config.ts';
import { createAuditedSite, logSize } from '../../support/audited-site.ts';

const site = await createAuditedSite(tap);

/** Text that a whole audit writes, at a clock that goes on by so many milliseconds at each look. */
async function shownBy(isTTY: boolean, stepMs: number): Promise<string> {
  let written = '';
  const write = (chunk: Buffer, _: string, done: () => void) => {
    written += chunk;
    done();
  };
  const stream = Object.assign(new Writable({ write }), { isTTY, columns: 200 });
  let at = 0;
  const now = () => {
    at += stepMs;
    return at;
  };
  const progress = openAuditProgress({ stream, now });
  const config = loadConfig(site.env);
  const session = await openAuditSession(config);
  const findings = new Findings();
  const { onPosition, onFolded } = progress;
  await auditDatabase({
    ...{ session, config, findings, ask: null, outside: null, trusted: null, listedWithinMs: 0 },
    ...{ onPosition, onFolded },
  }).finally(() => session.close());
  progress.end();
  if (findings.count > 0) throw new Error(JSON.stringify(findings.report()));
  return written;
}

test('a terminal shows one line for all parts of an audit, rewritten in place', async (t) => {
  const shown = await shownBy(true, 1_000);
  t.equal(shown.split('\n').length, 2, 'one line break, at the end');
  t.ok(shown.endsWith('\n'));
  const drawn = shown.split('\r').slice(1);
  const labels = [...new Set(drawn.map((text) => /^[a-z ]*[a-z]/.exec(text)?.[0]))];
  t.strictSame(labels, ['verifying', 'folding read models']);
  t.match(
    drawn.join('\n'),
    new RegExp(`^verifying .* 100 %, ${logSize} of ${logSize} events`, 'm'),
  );
  t.match(drawn.at(-1), /^folding read models \[#+\] 100 %, ([\d,]+) of \1 events/);
});

test('elsewhere an audit prints a line every few seconds, and none if it is short', async (t) => {
  t.equal(await shownBy(false, 1), '');
  const lines = (await shownBy(false, 1_000)).split('\n');
  const all = (await shownBy(true, 1_000)).split('\r').length;
  t.ok(lines.length <= all / 3, `${lines.length} lines of ${all}`);
  t.notOk(lines.join('').includes('\r'), 'nothing is rewritten');
});
