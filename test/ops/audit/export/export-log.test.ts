import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import tap, { test } from 'tap';
import { faultInWords } from '../../../../ops/audit/findings/fault.ts';
import { createAuditedSite, logSize, withoutConstraints } from '../../../support/audited-site.ts';
import { newFolder } from '../../../support/blobs.ts';
import { ops } from '../../../support/operator.ts';
import type { Outcome } from '../../../support/run.ts';

const site = await createAuditedSite(tap);

function inWords({ stdout }: Outcome): string {
  const { faults, unchecked } = JSON.parse(stdout);
  return [...faults, ...unchecked].map(faultInWords).join('\n');
}

test('readable parts of damaged rows are exported, and the damage is named', async (t) => {
  const copy = await site.copy(t);
  await copy.tamper(
    withoutConstraints,
    'UPDATE events SET data = NULL WHERE position = 100',
    'UPDATE events SET leaf = NULL WHERE position = 101',
    "UPDATE events SET meta = repeat('x', 70000000) WHERE position = 102",
    "UPDATE events SET meta = '{' WHERE position = 103",
    "UPDATE events SET data = '{' WHERE position = 104",
  );
  const out = join(await newFolder(t), 'history.ndjson');
  const exported = await ops(t, copy.env, 'audit', 'export', '--out', out, '--json');
  t.equal(exported.code, 1);
  t.match(JSON.parse(exported.stdout), { written: logSize, after: 0, head: logSize, count: 3 });
  t.equal(
    inWords(exported),
    [
      'events position 100 (data): the value is NULL',
      'events position 101 (leaf): the value is NULL',
      'events position 102 (meta): the value is longer than 67108864 bytes, the limit of an event',
    ].join('\n'),
  );
  const lines = (await readFile(out, 'utf8')).trimEnd().split('\n');
  t.equal(lines.length, logSize);
  t.match(JSON.parse(lines[99] ?? ''), { position: 100, data: null, meta: /./, leaf: /^\w{64}$/ });
  t.match(JSON.parse(lines[100] ?? ''), { position: 101, leaf: null });
  t.match(JSON.parse(lines[102] ?? ''), { position: 103, meta: '{' });

  const verified = await ops(t, {}, 'audit', 'verify', '--from', out, '--json');
  t.equal(verified.code, 1);
  for (const reported of [
    /^events position 100 \(data\): the value is NULL$/m,
    /^events position 101 \(leaf\): the value is NULL$/m,
    /^events position 102 \(meta\): the value is NULL; the original value was \{/m,
    /^events position 103 \(meta\): the value is not a JSON object/m,
    /^events position 104 \(data\): the value is not a JSON object/m,
  ]) {
    t.match(inWords(verified), reported);
  }
  const again = await ops(t, copy.env, 'audit', 'export', '--out', out);
  t.match(again, { code: 0, stdout: /^0 events written/ }, 'a complete file is continued');
});

test('fields that cannot be decrypted are exported encrypted, and named', async (t) => {
  const copy = await site.copy(t);
  const out = join(await newFolder(t), 'history.ndjson');
  const unseal = ['audit', 'export', '--out', out, '--unseal', '--json'] as const;
  await copy.tamper(
    "UPDATE events SET organisation_id = NULL WHERE type = 'DocumentStored' AND position < 15",
    "UPDATE events SET meta = '{' WHERE position = 6",
    "UPDATE events SET data = overlay(data PLACING 'A' FROM position('ct' IN data) + 12) WHERE position = 2",
  );
  const exported = await ops(t, copy.env, ...unseal);
  t.equal(exported.code, 1);
  t.match(JSON.parse(exported.stdout), { written: logSize, count: 2 });
  t.match(inWords(exported), /^events position 2 \(data\): .* its fields cannot be decrypted/m);
  t.match(
    inWords(exported),
    /^events position 10 \(data\): .* encrypted fields but no organisation$/m,
  );
  const [, opened, , , , requested] = (await readFile(out, 'utf8')).split('\n');
  t.notOk('unsealed' in JSON.parse(opened ?? ''));
  t.match(JSON.parse(requested ?? ''), { position: 6, unsealed: { fileName: /./ } });
});

test("with a damaged key its organisation's fields are exported encrypted", async (t) => {
  const copy = await site.copy(t);
  await copy.tamper("UPDATE data_keys SET wrapped = '\\x00' WHERE purpose = 'data'");
  const folder = await newFolder(t);
  const plain = join(folder, 'sealed.ndjson');
  t.match(await ops(t, copy.env, 'audit', 'export', '--out', plain), { code: 0 });
  const out = join(folder, 'opened.ndjson');
  const opened = await ops(t, copy.env, 'audit', 'export', '--out', out, '--unseal', '--json');
  t.equal(opened.code, 1);
  t.match(
    inWords(opened),
    /^events position 2 \(data\): .* MASTER_KEY cannot decrypt the keys of/m,
  );
  t.equal(await readFile(out, 'utf8'), await readFile(plain, 'utf8'));
});

test('a log without its head is exported to its end, and invalid lines of an export are named', async (t) => {
  const copy = await site.copy(t);
  await copy.tamper('DELETE FROM log_head');
  const out = join(await newFolder(t), 'history.ndjson');
  const exported = await ops(t, copy.env, 'audit', 'export', '--out', out);
  t.match(exported, {
    code: 1,
    stdout:
      /^log_head \(position\): the row that states the last position is missing, so all events are exported\n300 events written/,
  });
  const lines = (await readFile(out, 'utf8')).split('\n');
  lines[9] = '{"position":10';
  lines[19] = '{"position":"twenty"}';
  lines[29] = '{"position":30,"stream":5}';
  lines[39] = '5';
  await writeFile(out, lines.join('\n'));
  const verified = inWords(await ops(t, {}, 'audit', 'verify', '--from', out, '--json'));
  for (const reported of [
    'events position 10 (position): event 10 is missing: line 10 of the export is not an event',
    'events position 20 (position): event 20 is missing: line 20 of the export is not an event',
    'events position 40 (position): event 40 is missing: line 40 of the export is not an event',
  ]) {
    t.ok(verified.split('\n').includes(reported), reported);
  }
  t.match(
    verified,
    /^events position 30 \(leaf,.*stream,.*\): .*; stream: the value is not of type text;/m,
  );
});

test('a file that is no export is refused, and left as it was', async (t) => {
  const copy = await site.copy(t);
  const file = join(await newFolder(t), 'of-others');
  const foreign = [
    'a secret without a line feed',
    '{"key":"one line of JSON"}',
    '{"position":1}\n{"position":1,"leaf":"of another log"}\nand a rest',
    Buffer.from([0x50, 0x4b, 0x0a, 0x00, 0xff, 0x0a, 0x01]),
  ];
  for (const content of foreign) {
    await writeFile(file, content);
    const refused = await ops(t, copy.env, 'audit', 'export', '--out', file);
    t.match(refused, { code: 1, stderr: /does not end with an event of this export/ });
    t.strictSame(await readFile(file), Buffer.from(content));
  }
  for (const begun of ['', '{"posi', '{"position":1,"organisationId":null,"stre']) {
    await writeFile(file, begun);
    const exported = await ops(t, copy.env, 'audit', 'export', '--out', file);
    t.match(exported, { code: 0, stdout: new RegExp(`^${logSize} events written`) }, begun);
  }
});
