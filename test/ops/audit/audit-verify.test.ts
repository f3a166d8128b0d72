import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import tap, { type Test, test } from 'tap';
import { type Fault, faultInWords } from '../../../ops/audit/findings/fault.ts';
import { publicLog } from '../../../ops/audit/outside/public-log.ts';
import { signCheckpoint } from '../../../src/transparency-log/checkpoint/checkpoint.ts';
import { noteSigner } from '../../../src/transparency-log/checkpoint/note-key.ts';
import { auditSite } from '../../support/audit-site.ts';
import { type Change, createAuditedSite, logSize } from '../../support/audited-site.ts';
import { ops } from '../../support/operator.ts';
import { type Outcome, projectRoot, run } from '../../support/run.ts';
import { createServiceRole } from '../../support/service-role.ts';

const site = await createAuditedSite(tap);
const verify = ['audit', 'verify', '--json'] as const;
const anchored = "(SELECT min(position) FROM events WHERE type = 'Anchored')";
/** A change that the audit finds before it folds any event. */
const altered = `UPDATE events SET data = '{"plan":"free"}' WHERE position = 250`;
const alteredFault =
  /^events position 250 \(.*\): the stored leaf does not match the event: one of them was changed/m;

interface Printed {
  readonly events: number;
  readonly count: number;
  readonly faults: readonly Fault[];
  readonly unchecked: readonly Fault[];
}

/** The single printed object, with its findings in words. */
function printed({ stdout }: Outcome): Printed & { readonly text: string } {
  const report: Printed = JSON.parse(stdout);
  const unchecked = report.unchecked.map((one) => `not checked: ${faultInWords(one)}`);
  const following = report.faults.flatMap(({ consequences }) => consequences?.first ?? []);
  const text = [...report.faults.map(faultInWords), ...following, ...unchecked].join('\n');
  return { ...report, text };
}

async function tampered(t: Test, ...changes: readonly Change[]) {
  const copy = await site.copy(t);
  await copy.tamper(...changes);
  return copy;
}

async function serve(t: Test, listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test('faults are reported even if later events cannot be read or folded', async (t) => {
  const cases: readonly [string, Change, RegExp][] = [
    [
      'an anchoring without its organisation',
      `UPDATE events SET organisation_id = NULL WHERE position = ${anchored}`,
      /^projections position 13: read model anchors cannot apply this event, .* violates not-null/m,
    ],
    [
      'meta that is not JSON',
      `UPDATE events SET meta = '{' WHERE position = ${anchored}`,
      /^events position 13 \(meta\): the value is not a JSON object in canonical form .RFC 8785./m,
    ],
    [
      'the request of a document’s proof that was removed',
      "DELETE FROM events WHERE position = (SELECT min(position) FROM events WHERE type = 'ProofRequested')",
      /^projections position 10: read model documents cannot apply .* without a proof that it is of$/m,
    ],
    [
      'a damaged data key',
      "UPDATE data_keys SET wrapped = '\\x00' WHERE purpose = 'data'",
      /^data_keys \(key_id,wrapped\): MASTER_KEY cannot decrypt the data key of organisation \w+/m,
    ],
  ];
  for (const [name, change, reported] of cases) {
    const { env } = await tampered(t, altered, change);
    const outcome = await ops(t, env, ...verify);
    t.equal(outcome.code, 1, name);
    const { text, count, events } = printed(outcome);
    t.equal(events, logSize);
    t.equal(count, printed(outcome).faults.length);
    t.match(text, alteredFault, name);
    t.match(text, reported, name);
  }
  const { env } = await tampered(t, altered, cases[0]?.[1] ?? '');
  const inText = await ops(t, env, 'audit', 'verify');
  t.match(inText, { code: 1, stdout: alteredFault });
  t.match(inText.stdout, /^ {2}consequence: projections position 13: read model anchors cannot/m);
  t.match(inText.stdout, /^\d+ faults in 300 events$/m);
});

test('without the privilege CREATE all but read models is checked, and the privilege is named', async (t) => {
  const role = await createServiceRole(t);
  const copy = await tampered(t, altered);
  const DATABASE_URL = await role.grant(copy.url);
  await copy.tamper(`REVOKE CREATE ON SCHEMA public FROM ${new URL(DATABASE_URL).username}`);
  const outcome = await ops(t, { ...copy.env, DATABASE_URL }, ...verify);
  t.equal(outcome.code, 1);
  const { text, unchecked } = printed(outcome);
  t.match(text, alteredFault);
  t.equal(unchecked.length, 1);
  t.match(
    text,
    /^not checked: projections: no read model was compared: .* GRANT CREATE ON SCHEMA public TO test_service_/m,
  );

  await copy.tamper(`REVOKE SELECT ON data_keys FROM ${new URL(DATABASE_URL).username}`);
  const without = printed(await ops(t, { ...copy.env, DATABASE_URL }, ...verify));
  t.match(
    without.text,
    /^not checked: data_keys: .* permission denied for table data_keys: grant/m,
  );
  t.match(without.text, alteredFault);
});

test("an export is audited although the log's server refuses its tiles", async (t) => {
  const copy = await tampered(t, altered);
  const out = join(copy.dataDir, 'history.ndjson');
  t.match(await ops(t, copy.env, 'audit', 'export', '--out', out), { code: 0 });
  const last = 'SELECT note FROM published_checkpoints ORDER BY number DESC LIMIT 1';
  const note = await copy.ask<string>(last);
  const log = await serve(t, ({ url }, response) => {
    if (url === '/log/checkpoint') response.end(note);
    else response.writeHead(429, { 'Retry-After': '3600' }).end();
  });
  const of = ['--from', out, '--log', log, '--key', site.vkey] as const;
  const outcome = await ops(t, {}, ...verify, ...of);
  t.equal(outcome.code, 1);
  const { text } = printed(outcome);
  t.match(text, alteredFault);
  t.match(
    text,
    /^checkpoints \(note\): the published checkpoint: the root of the first 290 events differs/m,
  );
  t.match(text, /^not checked: tiles: tile\/0\/000: http:\S+ answers 429: audit again later$/m);
  const inText = await ops(t, {}, 'audit', 'verify', ...of);
  t.match(inText, {
    code: 1,
    stdout: /^1 fault in 300 events, but 3 items could not be checked$/m,
  });
});

test('a database is audited although the log at --log cannot be read, and the message names --log', async (t) => {
  const copy = await tampered(t, altered);
  const refused = await serve(t, (_request, response) => response.writeHead(403).end());
  const busy = await serve(t, (_request, response) =>
    response.writeHead(503, { 'Retry-After': '3600' }).end(),
  );
  for (const [address, answer] of [
    [refused, 'answers 403: check the address given with --log'],
    [busy, 'answers 503: audit again later'],
  ] as const) {
    const outcome = await ops(t, copy.env, ...verify, '--log', address);
    t.equal(outcome.code, 1);
    const { text, unchecked } = printed(outcome);
    t.match(text, alteredFault);
    const subject = 'the newest checkpoint at the address of --log';
    const inWords = `not checked: checkpoints: ${subject}: ${address}/log/checkpoint ${answer}`;
    t.ok(text.split('\n').includes(inWords), text);
    t.equal(unchecked.length, 1);
    t.notMatch(text, /DATABASE_URL|STORAGE_URL|database/);
  }
  const [origin, size] = [site.origin, 290];
  const foreign = signCheckpoint({ origin, size, root: Buffer.alloc(32) }, [
    noteSigner(origin, Buffer.alloc(32, 1)),
  ]);
  for (const [note, expected] of [
    [
      null,
      /^checkpoints: 3 checkpoints are listed .*, but there is none at the address of --log$/m,
    ],
    ['<html>', /^checkpoints: the newest checkpoint at the address of --log cannot be read$/m],
    [
      foreign,
      /^checkpoints: the newest checkpoint at the address of --log is not signed by a known/m,
    ],
  ] as const) {
    const log = await serve(t, (_request, response) =>
      note === null ? response.writeHead(404).end() : response.end(note),
    );
    const { text } = printed(await ops(t, copy.env, ...verify, '--log', log, '--key', site.vkey));
    t.match(text, expected);
    t.notMatch(text, /STORAGE_URL/);
  }
});

test('a database is audited although nobody answers at --log', async (t) => {
  const copy = await tampered(t, altered);
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await new Promise((resolve) => server.close(resolve));
  const log = publicLog(address, { patienceMs: 0 });
  const { faults, unchecked } = await auditSite(copy, false, null, log);
  t.match(faults.map(faultInWords), [alteredFault]);
  const inWords = unchecked.map(faultInWords);
  t.match(inWords, [
    new RegExp(
      `^checkpoints: the newest checkpoint at the address of --log: ${address}/log/checkpoint does not answer \\(.*ECONNREFUSED.*\\): audit again later$`,
    ),
  ]);
  t.equal(inWords.length, 1);
  t.notMatch(inWords.join(), /DATABASE_URL|STORAGE_URL|database/);
});

test('an export that is compared with kept checkpoints alone says that no signature was verified', async (t) => {
  const out = join(site.dataDir, 'sound.ndjson');
  t.match(await ops(t, site.env, 'audit', 'export', '--out', out), { code: 0 });
  const note = await site.ask<string>('SELECT note FROM published_checkpoints WHERE number = 1');
  const kept = join(site.dataDir, 'kept');
  await writeFile(kept, `${note.slice(0, note.indexOf('\n\n'))}\n\n— unsigned AAAAAAA=\n`);
  const of = ['--from', out, '--checkpoint', kept] as const;
  const listed = async (...options: readonly string[]) => {
    const { stdout } = await ops(t, {}, ...verify, ...of, ...options);
    const { faults, unheld } = JSON.parse(stdout) as { faults: Fault[]; unheld: string[] };
    return [...faults.map(faultInWords), ...unheld].filter((text) => /sign/.test(text));
  };
  t.match(await listed(), [
    /^known keys \(no --key\): signatures of checkpoints were not verified$/,
  ]);
  t.match(await listed('--key', site.vkey), [
    /kept cannot be checked: it is not signed with a known key/,
  ]);
});

test('without a terminal an audit prints few lines, and with --json none but the result', async (t) => {
  const outcome = await ops(t, site.env, ...verify);
  t.equal(outcome.code, 0, outcome.stderr);
  t.ok(outcome.stderr.split('\n').length <= 5, outcome.stderr);
  t.equal(outcome.stdout.split('\n').length, 2);
});

test('an audit that cannot begin reports this in the usual form', async (t) => {
  const unreachable = { ...site.env, DATABASE_URL: 'postgres://127.0.0.1:1/x' };
  const outcome = await ops(t, unreachable, ...verify);
  t.equal(outcome.code, 3, 'neither clean nor at fault');
  t.match(printed(outcome), {
    events: 0,
    count: 0,
    text: /not checked: events: .* DATABASE_URL is right$/,
  });
  const missing = await ops(t, {}, ...verify, '--from', join(site.dataDir, 'none'));
  t.match(printed(missing), { count: 0, text: /^not checked: events: the export: ENOENT: / });
  t.equal(missing.code, 3);
  const folder = await ops(t, {}, ...verify, '--from', site.dataDir);
  t.match(printed(folder), { text: /^not checked: events: the export: EISDIR: / });
  const MASTER_KEY = randomBytes(32).toString('base64');
  const foreign = await ops(t, { ...site.env, MASTER_KEY }, ...verify);
  t.equal(foreign.code, 3);
  t.match(printed(foreign), { count: 0, events: logSize });
  t.match(
    printed(foreign).text,
    /^not checked: data_keys .*: MASTER_KEY decrypts none of the 2 keys/m,
  );
  const files = await ops(t, {}, ...verify, '--from', 'x', '--files');
  t.match(files, { code: 1, stdout: '', stderr: /an export has no files: audit the database/ });
  const nonsense = await ops(t, {}, ...verify, '--from', 'x', '--log', 'nonsense');
  t.match(nonsense, {
    code: 1,
    stdout: '',
    stderr: /--log <url>.* nonsense is not the address of a log/,
  });
});

test('an interrupted audit reports its findings so far', async (t) => {
  const copy = await tampered(t, altered);
  const out = join(copy.dataDir, 'history.ndjson');
  t.match(await ops(t, copy.env, 'audit', 'export', '--out', out), { code: 0 });
  const note = await copy.ask<string>(
    'SELECT note FROM published_checkpoints ORDER BY number DESC LIMIT 1',
  );
  // The verifier requests the tile of level 1 after all tiles below it.
  let asked = () => {};
  const isAsked = new Promise<void>((resolve) => {
    asked = resolve;
  });
  const log = await serve(t, ({ url }, response) => {
    if (url === '/log/checkpoint') response.end(note);
    else if (url?.startsWith('/log/tile/0/')) response.writeHead(404).end();
    else asked();
  });
  const command = [process.execPath, join(projectRoot, 'ops/cli.ts'), ...verify];
  const running = run(t, [...command, '--from', out, '--log', log]);
  await isAsked;
  running.kill('SIGINT');
  const outcome = await running.ended;
  t.equal(outcome.code, 130);
  const { text } = printed(outcome);
  t.match(text, alteredFault);
  t.match(
    text,
    /^not checked: events: the rest of the audit was interrupted; run the command again$/m,
  );
});
