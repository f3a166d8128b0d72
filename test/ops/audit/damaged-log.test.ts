import { appendFile, cp, mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import tap, { test } from 'tap';
import { auditSite } from '../../support/audit-site.ts';
import { createAuditedSite, logSize, withoutConstraints } from '../../support/audited-site.ts';
import { newFolder } from '../../support/blobs.ts';
import { drawCases } from '../../support/draw-cases.ts';

const site = await createAuditedSite(tap);
const anchored = "(SELECT min(position) FROM events WHERE type = 'Anchored')";
const requested = "(SELECT min(position) FROM events WHERE type = 'ProofRequested')";

/** Faults elsewhere, which the audit must report in spite of any damage. */
const others = [
  `UPDATE events SET data = '{"plan":"free"}' WHERE position = 250`,
  "UPDATE workspaces_v1 SET name = 'other'",
  `UPDATE anchors_v1 SET ledger_id = 'other' WHERE transaction_hash =
     (SELECT decode(data::json->>'transactionHash', 'hex') FROM events
      WHERE position = (SELECT max(position) FROM events WHERE type = 'Anchored'))`,
];
const [altered, workspace, anchor] = [
  /^events position 250 \(data\): the stored leaf does not match/m,
  /^projections \(name\): table workspaces, /m,
  /^projections \(ledger_id\): table anchors, transaction_hash /m,
];
const all = [altered, workspace, anchor];

interface Damage {
  readonly statements: readonly string[];
  /** Findings about the damage itself. */
  readonly reported: readonly RegExp[];
  /** Faults elsewhere that can still be found; by default all. */
  readonly still?: readonly RegExp[];
}

const update = (set: string, where: string) => `UPDATE events SET ${set} WHERE position = ${where}`;

const damages: Readonly<Record<string, Damage>> = {
  'an anchoring without its organisation': {
    statements: [update('organisation_id = NULL', anchored)],
    reported: [
      /^events position 13 \(organisation_id\): the stored leaf does not match .*; the original value was \w{26}$/m,
      /^projections position 13: read model anchors cannot apply this event, which was skipped: null value/m,
      /^projections: table anchors, transaction_hash \S+: the row does not follow from the events \(compared without the events that .*\)$/m,
    ],
  },
  'a sealed event without its organisation': {
    statements: [update('organisation_id = NULL', requested)],
    reported: [
      /^events position 6 \(organisation_id\): the event has encrypted fields but no organisation; the original value was \w{26}$/m,
      /^ledger position 6 \(data\): .* has encrypted fields but no organisation$/m,
      /^projections position 6: read model documents cannot apply/m,
    ],
  },
  'data and meta that are not JSON': {
    statements: [update("meta = '{'", anchored), update("data = ''", requested)],
    reported: [
      /^events position 13 \(meta\): the value is not a JSON object in canonical form .RFC 8785./m,
      /^events position 6 \(data\): the value is not a JSON object in canonical form .RFC 8785.$/m,
      /^ledger position 13 \(data\): the data of this event, or of earlier events of the proof, cannot be read$/m,
      /^projections position 6: read model documents cannot apply .* its data is not JSON/m,
    ],
  },
  'data that is JSON, but no object': {
    statements: [update("data = 'null'", anchored), update("data = '[]'", '2')],
    reported: [
      /^projections position 13: read model anchors cannot apply .* its data is not a JSON object$/m,
      /^projections position 2: read model access cannot apply .* its data is not a JSON object$/m,
    ],
  },
  'sealed fields that are none': {
    statements: [
      update(`data = '{"sealed":5}'`, requested),
      update(`data = '{"sealed":{"ct":[],"iv":1,"k":"x"}}'`, '2'),
    ],
    reported: [
      /^ledger position 6 \(data\): .* its fields cannot be decrypted/m,
      /^projections position 2: read model access cannot apply .* its fields cannot be decrypted/m,
    ],
  },
  'columns that hold nothing': {
    statements: [
      ...['stream', 'version', 'event_id', 'type', 'schema'].map((column, n) =>
        update(`${column} = NULL`, `${100 + n}`),
      ),
      ...['recorded_at', 'data', 'meta', 'leaf', 'position'].map((column, n) =>
        update(`${column} = NULL`, `${110 + n}`),
      ),
    ],
    reported: [
      /^events position 100 \(stream\): the value is NULL; the original value was organisation-\w+$/m,
      /^events position 101 \(version\): the value is NULL; the original value was \d+$/m,
      /^events position 102 \(event_id\): the value is NULL$/m,
      /^events position 103 \(type\): the value is NULL; the original value was PlanChanged$/m,
      /^events position 104 \(schema\): the value is NULL; the original value was 1$/m,
      /^events position 110 \(recorded_at\): the value is NULL; the original value was 20\S+Z$/m,
      /^events position 111 \(data\): the value is NULL$/m,
      /^events position 112 \(meta\): the value is NULL; the original value was \{"actor":"api"\}$/m,
      /^events position 113 \(leaf\): the value is NULL$/m,
      /^events position 114 \(position\): event 114 is missing. It was version .*. Its row has the position NULL now$/m,
      /^projections position 111: read model access cannot apply/m,
    ],
  },
  'a first event that holds nothing': {
    statements: [update("stream = NULL, version = NULL, data = '{'", '1')],
    reported: [
      /^events position 1 \(stream,version,data\): stream: the value is NULL; version: the value is NULL; data: the value is not a/m,
    ],
  },
  'a type and a schema that nobody knows': {
    statements: [update("type = 'constructor'", '100'), update('schema = 99', '101')],
    reported: [
      /^events position 100 \(type\): this release does not know the event type; the original value was PlanChanged$/m,
      /^events position 101 \(schema\): this release does not know schema 99 of the event type; the original value was 1$/m,
      /^projections position 101: read model access cannot apply .* schema 99 is newer/m,
    ],
  },
  'a leaf of another length, a version and a position that are too large': {
    statements: [
      update("leaf = '\\x00'", '100'),
      update('version = 2147483647', '101'),
      update('position = 9223372036854775807', '300'),
    ],
    reported: [
      /^events position 100 \(leaf\): the stored leaf does not match/m,
      /^events position 101 \(version\): .* value was \d+$/m,
      /^log_head \(position\): log_head states the last position 300, but the last event is at position 299$/m,
      /^events position 9223372036854776000 \(position\): the position is less than 1, or after the last position that log_head states$/m,
    ],
  },
  'values that are too large to be read': {
    statements: [
      "UPDATE events SET data = repeat('x', 70000000) WHERE type = 'DocumentStored' AND position < 15",
      update("meta = repeat('x', 70000000)", '100'),
      update("leaf = repeat('x', 70000000)::bytea", '101'),
    ],
    reported: [
      /^events position 10 \(data\): the value is longer than 67108864 bytes, the limit of an event$/m,
      /^events position 100 \(meta\): the value is longer than .*; the original value was \{"actor":"api"\}$/m,
      /^events position 101 \(leaf\): the value is longer than/m,
      /^projections position 10: read model documents cannot apply/m,
    ],
  },
  'a row that the database cannot read': {
    statements: [
      'ALTER TABLE events RENAME TO rows',
      `CREATE VIEW events AS SELECT position, organisation_id, stream, version, event_id, type,
         schema, recorded_at, meta, leaf,
         CASE WHEN position = 20 THEN (1 / (position - 20))::text ELSE data END AS data FROM rows`,
    ],
    reported: [/^events position 20 \(.*data.*\): the row cannot be read: division by zero$/m],
  },
  'the request of a proof that was removed': {
    statements: [`DELETE FROM events WHERE position = ${requested}`],
    reported: [
      /^events position 6 \(position\): event 6 is missing. It was version 1 of the stream proof-\w+$/m,
      /^ledger position 13 \(data\): the proof is recorded as anchored, but no earlier event records a signed transaction for it$/m,
      /^projections position 10: read model documents cannot apply .* without a proof that it is of$/m,
      /^projections: table document_details, proof_id \w+: the row does not follow from the events \(compared without the events that .*\)$/m,
    ],
  },
  'an event that is there twice': {
    statements: [`INSERT INTO events SELECT * FROM events WHERE position = ${anchored}`],
    reported: [
      /^events position 13 \(position\): the position is there twice$/m,
      /^projections position 13: read model anchors cannot apply .* duplicate key/m,
    ],
  },
  'a key of an organisation that does not open': {
    statements: ["UPDATE data_keys SET wrapped = '\\x00' WHERE purpose = 'data'"],
    reported: [
      /^data_keys \(key_id,wrapped\): MASTER_KEY cannot decrypt the data key of organisation \w+: restore/m,
      /^projections: table documents, proof_id \w+: .* \(compared without the events that cannot be .* decrypted\)$/m,
    ],
    still: [altered, anchor],
  },
  'a key of an organisation that is missing': {
    statements: ["DELETE FROM data_keys WHERE purpose = 'index'"],
    reported: [
      /^data_keys position 2: organisation \w+ has no index key, and no event records that/m,
    ],
    still: [altered, anchor],
  },
  'keys none of which opens': {
    statements: ["UPDATE data_keys SET wrapped = '\\x00'"],
    reported: [
      /^not checked: data_keys \(wrapped\): MASTER_KEY decrypts none of the 2 keys, .*: set the master key/m,
      /^not checked: projections: read model documents was not compared: no key decrypts/m,
    ],
    still: [altered, anchor],
  },
  'a head without a position': {
    statements: ['UPDATE log_head SET position = NULL'],
    reported: [/^log_head \(position\): the row that states the last position is missing$/m],
  },
  'a head that is too large': {
    statements: ['UPDATE log_head SET position = 9223372036854775807'],
    reported: [
      /^log_head \(position\): log_head states the last position 9223372036854776000, but the last event is at position 300$/m,
    ],
  },
  'listed checkpoints that hold nothing': {
    statements: [
      'UPDATE published_checkpoints SET number = NULL WHERE number = 1',
      'UPDATE published_checkpoints SET vkeys = NULL WHERE number = 2',
    ],
    reported: [
      /^checkpoints \(number\): rows in the list of checkpoints without a number: 1$/m,
      /^checkpoints \(vkeys\): checkpoint 2: the value is NULL$/m,
      /^checkpoints \(note\): checkpoint 3: the root of the first 290 events differs from the root in the checkpoint$/m,
    ],
  },
  'tables that are missing': {
    statements: [
      'DROP TABLE log_head',
      'DROP TABLE published_checkpoints',
      'DROP TABLE documents_v1 CASCADE',
    ],
    reported: [
      /^log_head: the last position of the log cannot be checked: relation "log_head" does not exist$/m,
      /^checkpoints: the list of published checkpoints cannot be checked: relation "published_checkpoints" does not exist$/m,
      /^projections: table documents cannot be checked: there is no table documents_v1$/m,
    ],
  },
  'a log that is missing': {
    statements: ['DROP TABLE events'],
    reported: [
      /^events: the events after position 0 cannot be checked: relation "events" does not exist$/m,
    ],
    still: [],
  },
  'read models of another form': {
    statements: [
      'ALTER TABLE api_keys_v1 DROP CONSTRAINT api_keys_v1_pkey',
      'ALTER TABLE ledgers_v1 DROP COLUMN gone CASCADE',
      "UPDATE checkpoints SET position = NULL WHERE name = 'webhooks'",
      "UPDATE checkpoints SET position = 999 WHERE name = 'certificates'",
      "DELETE FROM checkpoints WHERE name = 'agent-runs'",
    ],
    reported: [
      /^projections: table api_keys cannot be checked: .* no primary key in common$/m,
      /^projections \(gone\): table ledgers: its columns differ from those that this release needs$/m,
      /^projections \(position\): read model webhooks: the live build states position null, but the last event is at position 300$/m,
      /^projections \(position\): read model certificates: the live build states position 999, but the last event is at position 300$/m,
      /^projections: read model agent-runs: no build is live, so nothing was compared$/m,
    ],
  },
};

test('an untouched log has no fault and no unchecked item', async (t) => {
  t.match(await auditSite(site), { events: logSize, lines: [], unchecked: [] });
});

test('unreadable or unfoldable data are a fault, and the rest is still checked', async (t) => {
  for (const [name, { statements, reported, still = all }] of drawCases(
    t,
    Object.entries(damages),
  )) {
    const damaged = await site.copy(t);
    await damaged.tamper(...others, withoutConstraints, ...statements);
    const { lines } = await auditSite(damaged);
    const text = lines.join('\n');
    for (const pattern of [...reported, ...still]) t.match(text, pattern, name);
  }
});

test('on a read-only database all but read models is checked', async (t) => {
  const copy = await site.copy(t);
  const name = new URL(copy.url).pathname.slice(1);
  await copy.tamper(...others, `ALTER DATABASE ${name} SET default_transaction_read_only = on`);
  const { lines, unchecked } = await auditSite(copy);
  t.equal(unchecked.length, 1);
  t.match(
    lines.join('\n'),
    /^not checked: projections: no read model .* audit the primary database$/m,
  );
  t.match(lines.join('\n'), altered);
});

test('an unreadable storage is reported, and everything else is checked', async (t) => {
  const copy = await site.copy(t);
  await copy.tamper(...others);
  const tile = (log: string) => join(log, site.origin.replace('proofmark/', ''), '1/tile/0/000');
  const cases: readonly [string, (log: string) => Promise<unknown>, RegExp][] = [
    [
      'a tile that cannot be read',
      async (log) => {
        await rm(tile(log));
        await mkdir(tile(log));
      },
      /^not checked: tiles: tile\/0\/000: .*EISDIR/m,
    ],
    [
      'a tile that is too long',
      (log) => appendFile(tile(log), Buffer.alloc(1)),
      /^tiles: tile\/0\/000: the tile has 8193 bytes instead of 8192$/m,
    ],
    [
      'a checkpoint that is none',
      async (log) => {
        const [name = ''] = (await readdir(join(log, 'checkpoints'))).sort().slice(-1);
        await writeFile(join(log, 'checkpoints', name), '<html>');
      },
      /^checkpoints: the newest checkpoint under STORAGE_URL cannot be read$/m,
    ],
    [
      'a volume that is not mounted',
      async (log) => rm(dirname(log), { recursive: true }).then(() => writeFile(dirname(log), '')),
      /^not checked: checkpoints: .* under STORAGE_URL: /m,
    ],
  ];
  for (const [name, damage, reported] of cases) {
    const folder = await newFolder(t);
    const files = join(folder, 'files');
    await cp(join(site.dataDir, 'files'), files, { recursive: true });
    await damage(join(files, 'log'));
    const env = { ...copy.env, STORAGE_URL: pathToFileURL(files).href };
    const text = (await auditSite({ env })).lines.join('\n');
    for (const pattern of [reported, ...all]) t.match(text, pattern, name);
  }
});
