import { cp, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import tap, { test } from 'tap';
import { faultInWords } from '../../../ops/audit/findings/fault.ts';
import type { Cosigner } from '../../../src/transparency-log/cosigning/cosigner.ts';
import { parsePolicy } from '../../../src/verifier/log/policy.ts';
import { auditSite } from '../../support/audit-site.ts';
import { type Change, createAuditedSite, withoutConstraints } from '../../support/audited-site.ts';
import { newFolder } from '../../support/blobs.ts';
import { rewriteRow } from '../../support/forge-log.ts';
import { sampleCosigner } from '../../support/witness-servers.ts';

const site = await createAuditedSite(tap);
const anchored = "(SELECT min(position) FROM events WHERE type = 'Anchored')";
const requested = "(SELECT min(position) FROM events WHERE type = 'ProofRequested')";

/** Faults after the changes, in words without their consequences. */
async function faultsAfter(
  t: Parameters<typeof site.copy>[0],
  changes: readonly Change[],
  env: Readonly<Record<string, string>> = {},
) {
  const copy = await site.copy(t);
  await copy.tamper(withoutConstraints, ...changes);
  const { faults, unchecked } = await auditSite({ env: { ...copy.env, ...env } });
  const of = faults.map((fault) => ({ text: faultInWords(fault), ...fault.consequences }));
  return { texts: of.map(({ text }) => text), of, unchecked };
}

const set = (assignment: string, position: number | string) =>
  `UPDATE events SET ${assignment} WHERE position = ${position}`;
/** Replaces the last character but one. */
const change = (column: string) =>
  `${column} = overlay(${column} placing
     CASE substr(${column}, length(${column}) - 1, 1) WHEN 'Q' THEN 'R' ELSE 'Q' END
     from length(${column}) - 1 for 1)`;

test('an altered column is one fault that names position and column', async (t) => {
  const { texts } = await faultsAfter(t, [
    set(change('event_id'), 100),
    set(change('organisation_id'), 105),
    set(change('stream'), 110),
    set('version = version + 3', 115),
    set(change('type'), 120),
    set('schema = schema + 1', 125),
    set("recorded_at = '2020-02-02T02:02:02.002Z'", 130),
    set(`data = '{"plan":"free"}'`, 135),
    set(`meta = '{"actor":"operator"}'`, 140),
    set("leaf = sha256('')", 145),
    set(change('data'), anchored),
    set(change('data'), 295),
  ]);
  t.equal(texts.length, 12, texts.join('\n'));
  for (const [index, expected] of [
    /^events position 13 \(data\): the value is not a JSON object in canonical form/,
    /^events position 100 \(event_id\): .*; the original value was \w{26}$/,
    /^events position 105 \(organisation_id\): .*; the original value was \w{26}$/,
    /^events position 110 \(stream\): .*; the original value was organisation-\w+$/,
    /^events position 115 \(version\): .*; the original value was \d+$/,
    /^events position 120 \(type\): this release .*; the original value was PlanChanged$/,
    /^events position 125 \(schema\): this release .*; the original value was 1$/,
    /^events position 130 \(recorded_at\): .*; the original value was 20\d\d-\S+Z$/,
    /^events position 135 \(data\): the stored leaf does not match the event/,
    /^events position 140 \(meta\): .*; the original value was \{"actor":"api"\}$/,
    /^events position 145 \(leaf\): the stored leaf does not match the event/,
    /^events position 295 \(data\): the value is not a JSON object .*; the original value was \{"plan":"enterprise"\}$/,
  ].entries()) {
    t.match(texts[index], expected);
  }
});

test('what follows from a change is listed as its consequence', async (t) => {
  const { texts, of } = await faultsAfter(t, [set('organisation_id = NULL', anchored)]);
  t.equal(texts.length, 1, texts.join('\n'));
  t.match(texts[0], /^events position 13 \(organisation_id\): .*; the original value was \w{26}$/);
  const { count = 0, first = [] } = of[0] ?? {};
  t.ok(count >= 5, String(count));
  const text = first.join('\n');
  t.match(text, /^checkpoints \(note\): checkpoint 1: the root of the first 60 events differs/m);
  t.match(text, /^projections position 13: read model anchors cannot apply this event/m);
  t.match(text, /^projections: table anchors, transaction_hash \S+: the row does not follow/m);
});

test('a missing event is one fault, which says that it is missing', async (t) => {
  const one = await faultsAfter(t, ['DELETE FROM events WHERE position = 200']);
  t.equal(one.texts.length, 1, one.texts.join('\n'));
  t.match(
    one.texts[0],
    /^events position 200 \(position\): event 200 is missing. It was version \d+ of the stream organisation-\w+$/,
  );
  const { texts } = await faultsAfter(t, [
    `DELETE FROM events WHERE position = ${requested}`,
    'DELETE FROM events WHERE position BETWEEN 281 AND 300',
  ]);
  t.equal(texts.length, 2, texts.join('\n'));
  t.match(texts[0], /^events position 6 \(position\): event 6 is missing. It was version 1 of/);
  t.match(
    texts[1],
    /^events position 281 \(position\): events 281 to 300 are missing at the end of the log: log_head states the last position 300, 290 events are published, checkpoint 3 covers 290 events$/,
  );
});

test('exchanged, inserted and removed events are one fault each', async (t) => {
  const exchanged = await faultsAfter(t, [
    set('position = -1', 150),
    set('position = 150', 200),
    set('position = 200', -1),
  ]);
  t.strictSame(exchanged.texts, [
    'events position 150 (position): the events at positions 150 and 200 were exchanged: each has the leaf that is published for the other',
  ]);
  const inserted = await faultsAfter(t, [
    'UPDATE events SET position = position + 100001 WHERE position >= 150',
    'UPDATE events SET position = position - 100000 WHERE position > 100000',
    `INSERT INTO events SELECT 150, organisation_id, 'inserted-one', 1, event_id, type, schema,
       recorded_at, data, meta, leaf FROM events WHERE position = 3`,
    'UPDATE log_head SET position = position + 1',
  ]);
  t.equal(inserted.texts.length, 1, inserted.texts.join('\n'));
  t.match(inserted.texts[0], /^events position 150 \(position\): an event was inserted here: /);
  const removed = await faultsAfter(t, [
    'DELETE FROM events WHERE position = 150',
    'UPDATE events SET position = position - 1 WHERE position > 150',
    'UPDATE log_head SET position = position - 1',
  ]);
  t.equal(removed.texts.length, 1, removed.texts.join('\n'));
  t.match(
    removed.texts[0],
    /^events position 150 \(position\): the event of this position is missing: /,
  );
});

test('tables that steer the service agree with the events', async (t) => {
  const { texts } = await faultsAfter(t, [
    'INSERT INTO closed_organisations SELECT DISTINCT organisation_id, false FROM data_keys',
    `INSERT INTO checkpoints (name, version, position, build, status)
     VALUES ('anchors', 1, 999, 77, 'kept')`,
    "UPDATE checkpoints SET position = 999 WHERE name = 'webhook deliveries'",
    `INSERT INTO webhook_endpoints (webhook_id, organisation_id, kinds, active, since)
     VALUES ('x', 'y', '{}', true, 1)`,
    "INSERT INTO key_uses VALUES ('x', now())",
    `INSERT INTO console_sessions VALUES ('a', 'o', 'p', now(), now() + interval '12 hours'),
       ('b', 'o', 'q', now(), now() + interval '13 hours'),
       ('c', 'o', 'q', now() + interval '9 days', now() + interval '9 days 1 hour')`,
    'ALTER TABLE events DISABLE TRIGGER events_append_only',
    'DROP TRIGGER published_checkpoints_append_only ON published_checkpoints',
  ]);
  for (const expected of [
    /^operations \(organisation_id\): table closed_organisations: organisation \w{26} is closed in this table, .* but no event closes it$/,
    /^operations \(position\): table checkpoints: the reader anchors \(build 77\) states a position that the log does not have/,
    /^operations \(position\): table checkpoints: the reader webhook deliveries states a position/,
    /^operations \(webhook_id\): table webhook_endpoints: endpoint x is not registered/,
    /^operations \(key_id\): table key_uses: key x was used, but no event issues it$/,
    /^operations \(expires_at\): table console_sessions: a session of person q lasts longer than 12/,
    /^operations: table events: the trigger events_append_only does not fire at every change, so/,
    /^operations: table published_checkpoints: the trigger \w+ is missing/,
  ]) {
    t.ok(
      texts.some((text) => expected.test(text)),
      `${expected}`,
    );
  }
  t.equal(texts.length, 8, texts.join('\n'));
});

test('a trigger of the log that does not fire, or guards another table, is a fault', async (t) => {
  const guard = (table: string, clauses: string) => `CREATE TRIGGER events_append_only ${clauses}
     ON ${table} FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()`;
  const drop = 'DROP TRIGGER events_append_only ON events';
  const whole = 'BEFORE UPDATE OR DELETE OR TRUNCATE';
  for (const [how, ...changes] of [
    [
      'does not fire at every change',
      'ALTER TABLE events ENABLE REPLICA TRIGGER events_append_only',
    ],
    ['does not fire at every change', drop, guard('events', 'BEFORE DELETE OR TRUNCATE')],
    [
      'does not fire at every change',
      drop,
      guard('events', 'BEFORE DELETE OR TRUNCATE OR UPDATE OF version'),
    ],
    [
      'is missing',
      drop,
      'CREATE SCHEMA decoy; CREATE TABLE decoy.events ()',
      guard('decoy.events', whole),
    ],
    ['is missing', drop, guard('log_head', whole)],
  ]) {
    const { texts } = await faultsAfter(t, changes);
    t.strictSame(texts, [
      `operations: table events: the trigger events_append_only ${how}, so that rows can be changed`,
    ]);
  }
  const always = ['ALTER TABLE events ENABLE ALWAYS TRIGGER events_append_only'];
  t.strictSame((await faultsAfter(t, always)).texts, []);
});

test('a closed organisation that is missing among the closed ones is a fault', async (t) => {
  const owner = '(SELECT min(organisation_id) FROM data_keys)';
  const ended = (type: string): readonly Change[] => [
    `INSERT INTO events SELECT 301, ${owner}, 'organisation-' || ${owner}, version + 1,
       '01M7XT7TX5VQ3R4S5T6V000301', '${type}', 1, recorded_at,
       ${type === 'OrganisationErased' ? `'{"organisationId":"' || ${owner} || '"}'` : "'{}'"}, meta, leaf FROM events WHERE position = 300`,
    (client) => rewriteRow(client, 301, () => ({})),
    'UPDATE log_head SET position = 301',
  ];
  const closed = (isErased: boolean) =>
    `INSERT INTO closed_organisations VALUES (${owner}, ${isErased})`;
  const faultsOf = async (type: string, ...changes: readonly Change[]) => {
    const { texts } = await faultsAfter(t, [...ended(type), ...changes]);
    return texts.filter((text) => text.includes('closed_organisations'));
  };
  t.strictSame(await faultsOf('OrganisationErased', closed(true)), []);
  t.strictSame(await faultsOf('OrganisationClosed', closed(false)), []);
  for (const type of ['OrganisationClosed', 'OrganisationErased']) {
    t.match(await faultsOf(type), [
      /^operations \(organisation_id\): table closed_organisations: organisation \w{26} is closed or erased, but it is missing in this table: events of it would be accepted$/,
    ]);
  }
  t.match(await faultsOf('OrganisationErased', closed(false)), [
    /^operations \(erased\): table closed_organisations: organisation \w{26} has another state/,
  ]);
});

test('webhook endpoints have the kinds and the state that their events give them', async (t) => {
  const [first, second, third, fourth] = ['A', 'B', 'C', 'D'].map((id) => id.repeat(26));
  const owner = '(SELECT min(organisation_id) FROM data_keys)';
  const event = (id: string | undefined, type: string, fields: object, version: number) => `
    INSERT INTO events SELECT position + 1, organisation_id, 'webhook-${id}', ${version},
      '01M7XT7TX5VQ3R4S5T6V' || lpad((position + 1)::text, 6, '0'), '${type}', 1, recorded_at,
      '${JSON.stringify({ webhookId: id, ...fields })}', meta, leaf
    FROM events WHERE position = (SELECT max(position) FROM events)`;
  const row = (id: string | undefined, position: number, kinds: string, active = true) => `
    INSERT INTO webhook_endpoints (webhook_id, organisation_id, kinds, active, since)
    VALUES ('${id}', ${owner}, '${kinds}', ${active}, ${position})`;
  const kinds = ['proof.completed', 'proof.failed'];
  const changes = [
    event(first, 'WebhookRegistered', { organisationId: 'x', events: kinds }, 1),
    event(second, 'WebhookRegistered', { organisationId: 'x', events: kinds }, 1),
    event(third, 'WebhookRegistered', { organisationId: 'x', events: kinds }, 1),
    event(fourth, 'WebhookRegistered', { organisationId: 'x', events: kinds }, 1),
    event(first, 'WebhookChanged', { events: ['proof.failed'] }, 2),
    event(second, 'WebhookDisabled', { reason: 'caller' }, 2),
    event(fourth, 'WebhookDeleted', {}, 2),
    `INSERT INTO checkpoints (name, version, position, build, status)
     VALUES ('webhook deliveries', 1, 307, 1, 'live')`,
    row(second, 302, '{proof.completed,proof.failed}', false),
  ];
  const faults = async (...rows: readonly string[]) =>
    (
      await faultsAfter(t, [
        "DELETE FROM checkpoints WHERE name = 'webhook deliveries'",
        ...changes,
        ...rows,
      ])
    ).texts.filter((text) => text.includes('webhook_endpoints'));
  const sound = [
    row(first, 301, '{proof.failed}'),
    row(third, 303, '{proof.completed,proof.failed}'),
  ];
  t.strictSame(await faults(...sound), []);
  const update = 'UPDATE webhook_endpoints SET';
  t.match(
    await faults(
      ...sound,
      `${update} kinds = '{proof.completed,proof.failed}' WHERE webhook_id = '${first}'`,
      `${update} active = true WHERE webhook_id = '${second}'`,
      `DELETE FROM webhook_endpoints WHERE webhook_id = '${third}'`,
      row(fourth, 304, '{}'),
    ),
    [
      /^operations \(kinds\): table webhook_endpoints: endpoint A+ has other kinds .* \(proof.failed\)$/,
      /^operations \(active\): .* endpoint B+ has another state than its events, which disable it$/,
      /^operations \(webhook_id\): .* endpoint C+ is missing in this table: nothing is delivered/,
      /^operations \(webhook_id\): .* endpoint D+ is in this table, but an event deletes it$/,
    ],
  );
});

test('cosignatures belong to a listed checkpoint, and verify with their key', async (t) => {
  const note = await site.ask<string>('SELECT note FROM published_checkpoints WHERE number = 1');
  const text = note.slice(0, note.indexOf('\n\n') + 1);
  const [north, south] = [0, 1].map(sampleCosigner) as [Cosigner, Cosigner];
  const later = `later.example/w+01020304+${Buffer.alloc(1_313, 6).toString('base64')}`;
  const garbage = Buffer.concat([Buffer.of(1, 2, 3, 4), Buffer.alloc(100, 9)]).toString('base64');
  const of = (number: number, vkey: string, lines: string) =>
    `INSERT INTO checkpoint_cosignatures VALUES (${number}, '${vkey}', E'${lines.replaceAll('\n', '\\n')}')`;
  const sound = [
    of(1, north.vkey, north.cosign(text, 1_700_000_000)),
    of(1, south.vkey, south.cosign(text, 1_700_000_000)),
    of(1, later, `— later.example/w ${garbage}\n`),
  ];
  const copy = await site.copy(t);
  await copy.tamper(...sound);
  const policy = parsePolicy(`witness n ${north.vkey}\nquorum n\n`);
  const audited = await auditSite(copy, false, policy);
  t.strictSame(audited.faults, []);
  t.equal(audited.compared.cosignatures, 3);
  t.match(audited.unheld.join('\n'), /^2 cosignatures of witnesses that --policy does not name/m);
  t.match(
    audited.unheld.join('\n'),
    /^the signatures of 1 cosignatures: .* does not know their type/m,
  );
  t.match((await auditSite(copy)).unheld.join('\n'), /^known witnesses \(no --policy\)/m);

  const { texts } = await faultsAfter(t, [
    of(1, north.vkey, north.cosign(`${text}x\n`, 1_700_000_000)),
    of(1, south.vkey, north.cosign(text, 1_700_000_000)),
    of(1, 'x', 'y'),
    of(2, later, 'no line'),
    of(9, north.vkey, north.cosign(text, 1_700_000_000)),
    'INSERT INTO checkpoint_cosignatures VALUES (NULL, NULL, NULL)',
  ]);
  t.match(texts.toSorted(), [
    /^checkpoints \(lines\): the cosignature of later.example\/w under checkpoint 2 is not a signature line/,
    /^checkpoints \(lines\): the cosignature of w0.example\/w under checkpoint 1 does not verify/,
    /^checkpoints \(lines\): the cosignature of w1.example\/w under checkpoint 1 is not a signature line/,
    /^checkpoints \(number\): the cosignature of w0.example\/w under checkpoint 9 is of a checkpoint that is not/,
    /^checkpoints \(number,vkey\): rows in the list of cosignatures without a number, .*: 1$/,
    /^checkpoints \(vkey\): the cosignature of x under checkpoint 1 has no key/,
  ]);
  const change = `UPDATE published_checkpoints SET note = replace(note, '\n60\n', '\n61\n') WHERE number = 1`;
  const { of: changed } = await faultsAfter(t, [
    ...sound,
    change.replaceAll("'\n", "E'\\n").replaceAll("\n'", "\\n'"),
  ]);
  t.match(changed, [{ text: /^checkpoints \(note,vkeys\): checkpoint 1: /, count: 2 }]);
  t.equal(changed.length, 1);
});

test('a changed row of a read model, checkpoint or tile is one fault', async (t) => {
  const note = (number: number) =>
    `UPDATE published_checkpoints SET note = overlay(note placing '!' from 50 for 1) WHERE number = ${number}`;
  const rows = await faultsAfter(t, [note(1), note(3), "UPDATE workspaces_v1 SET name = 'other'"]);
  t.equal(rows.texts.length, 3, rows.texts.join('\n'));
  t.match(rows.texts[0], /^checkpoints \(note,vkeys\): checkpoint 1: the checkpoint is not signed/);
  t.match(rows.texts[1], /^checkpoints \(note,vkeys\): checkpoint 3: the checkpoint is not signed/);
  t.match(
    rows.texts[2],
    /^projections \(name\): table workspaces, organisation_id \w+, position 3: /,
  );
  const withTiles = async (...changes: readonly (readonly [string, number])[]) => {
    const folder = await newFolder(t);
    await cp(join(site.dataDir, 'files'), join(folder, 'files'), { recursive: true });
    for (const [path, at] of changes) {
      const file = join(folder, 'files/log', site.origin.replace('proofmark/', ''), '1', path);
      const bytes = await readFile(file);
      bytes[at] = (bytes[at] ?? 0) ^ 1;
      await writeFile(file, bytes);
    }
    return faultsAfter(t, [], { STORAGE_URL: pathToFileURL(join(folder, 'files')).href });
  };
  const tiles = await withTiles(['tile/0/000', 0], ['tile/0/000', 7_000], ['tile/0/001.p/34', 40]);
  t.equal(tiles.texts.length, 2, tiles.texts.join('\n'));
  t.match(
    tiles.texts[0],
    /^tiles: tile\/0\/000: the leaves of positions 1 and 219 in this tile were /,
  );
  t.match(tiles.texts[1], /^tiles: tile\/0\/001.p\/34: the leaf of position 258 in this tile was /);
  const above = await withTiles(['tile/1/000.p/1', 3]);
  t.equal(above.texts.length, 1, above.texts.join('\n'));
  t.match(above.texts[0], /^tiles: tile\/1\/000.p\/1: the hashes in this tile do not match/);
});

test('reading the stored files of a storage that is missing creates nothing', async (t) => {
  const folder = await newFolder(t);
  const [files, data] = [join(folder, 'files'), join(folder, 'data')];
  for (const storage of [pathToFileURL(files).href, 's3://bucket/x?endpoint=http://127.0.0.1:1']) {
    const env = { ...site.env, STORAGE_URL: storage, DATA_DIR: data };
    const { unchecked } = await auditSite({ env }, true);
    t.match(unchecked.map(faultInWords).join('\n'), /^files/m);
    t.strictSame(await readdir(folder), []);
  }
});

test('rows and files that a damaged or missing key makes unreadable follow from the key', async (t) => {
  for (const damage of [
    "UPDATE data_keys SET wrapped = '\\x00' WHERE purpose = 'data'",
    "DELETE FROM data_keys WHERE purpose = 'index'",
  ]) {
    const copy = await site.copy(t);
    await copy.tamper(withoutConstraints, damage);
    const { faults, unchecked } = await auditSite(copy, true);
    t.equal(faults.length, 1, faults.map(faultInWords).join('\n'));
    t.match(faults, [{ in: 'data_keys', consequences: { count: 27 } }]);
    t.match(faults[0]?.consequences?.first.join('\n'), /^projections: table documents, proof_id/m);
    t.strictSame(unchecked, []);
    await copy.tamper("INSERT INTO document_blobs_v1 VALUES ('another')");
    const more = (await auditSite(copy)).faults.map(faultInWords);
    t.match(more, [/^data_keys/, /^projections: table document_blobs, blob_key another/]);
  }
});
