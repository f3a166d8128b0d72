import pg from 'pg';
import { type Test, test } from 'tap';
import { leafHash, leafInputOf } from '../../../../src/event-store/leaf.ts';
import type { EventRow } from '../../../../src/event-store/stored-event.ts';
import { auditTwice } from '../../../support/audit-twice.ts';
import { createTestDatabase } from '../../../support/database.ts';
import { insertRows } from '../../../support/insert-rows.ts';
import { WrittenLog } from '../../../support/written-log.ts';

const owner = '01M7XT7V10RJ1CFD26ZBSKQXP6';
const other = '01M7XT7V10RJ1CFD26ZBSKQXP5';
const workspaceId = '01M7XT7V10RJ1CFD26ZBSKQXW1';
const documentId = '01M7XT7V10RJ1CFD26ZBSKQXD1';
const [early, late] = ['01M7XT7V10RJ1CFD26ZBSKQXA1', '01M7XT7V10RJ1CFD26ZBSKQXA2'];
const nowhere = '01M7XT7V10RJ1CFD26ZBSKQXN0';
/** Last row of the first page that a thread reads. */
const pageEnd = 2_048;
const last = 2_400;

type Add = (stream: string, type: string, data: object, by?: string | null) => void;

/** Rows at positions of their own, in place of rows that count. */
type Placed = Readonly<Record<number, (add: Add) => void>>;

/** Rows that end the first page and begin the second one: a hash names a proof of the next page. */
const sound: Placed = {
  [pageEnd]: (add) => add('hash-w-late', 'HashClaimed', { proofId: late }),
  [pageEnd + 10]: (add) => add(`proof-${late}`, 'ProofRequested', { proofId: late, workspaceId }),
};

/** A log of more than a page, in which everything that is named exists, but for the placed rows. */
function write(placed: Placed = {}): WrittenLog {
  const log = new WrittenLog();
  const add: Add = (stream, type, data, by = owner) => log.append(stream, type, data, by);
  add('log-01M7XT7V10RJ1CFD26ZBSKQXL0', 'LogOpened', { logId: '01M7XT7V10RJ1CFD26ZBSKQXL0' }, null);
  add(`organisation-${owner}`, 'OrganisationOpened', { organisationId: owner });
  add(`organisation-${other}`, 'OrganisationOpened', { organisationId: other }, other);
  const created = { workspaceId, organisationId: owner, name: 'first' };
  add(`workspace-${workspaceId}`, 'WorkspaceCreated', created);
  add(`document-${documentId}`, 'DocumentStored', { documentId, proofId: early, workspaceId });
  add(`proof-${early}`, 'ProofRequested', { proofId: early, workspaceId });
  for (let used = 1; log.rows.length < last; ) {
    const place = placed[log.rows.length + 1] ?? sound[log.rows.length + 1];
    if (place !== undefined) place(add);
    else {
      add('allowance-x-2026-11', 'UnitTaken', { documentId, used });
      used += 1;
    }
  }
  return log;
}

/** Writes the log into a database, and audits it with and without threads. */
async function audited(t: Test, log: WrittenLog, ...changes: readonly string[]) {
  const { url } = await createTestDatabase(t);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query("SET session_replication_role = 'replica'");
    await insertRows(client, log.rows);
    for (const change of changes) await client.query(change);
  } finally {
    await client.end();
  }
  const { slowly, fast, read } = await auditTwice(url, null);
  t.strictSame(fast, slowly);
  return { found: fast.found, read };
}

const wholePages = { pages: 2, rows: 0 };

test('threads find no fault in references of a sound log of two pages', async (t) => {
  t.strictSame(await audited(t, write()), { found: [], read: wholePages });
});

const claims =
  (proofId: string, by: string | null = owner) =>
  (add: Add) =>
    add(`hash-w-${proofId}-${by}`, 'HashClaimed', { proofId }, by);

/** A wrong row, and its only fault. `at` is its position. */
type Wrong = readonly [place: (add: Add, at: number) => void, fault: string];

const unknown = `proofId: no event begins the proof ${nowhere} that this event names`;
const create = (add: Add, stream: string, id: string) =>
  add(stream, 'WorkspaceCreated', { workspaceId: id, organisationId: owner });
const claim = (add: Add, at: number, data: object, by = owner) =>
  add(`hash-w-${at}`, 'HashClaimed', data, by);
const elsewhere = '01M7XT7V10RJ1CFD26ZBSKQXE0';

const wrong: Readonly<Record<string, Wrong>> = {
  'a reference into nowhere': [(add, at) => claim(add, at, { proofId: nowhere }), unknown],
  'a foreign owner': [
    (add, at) => claim(add, at, { proofId: early }, other),
    `proofId: the proof ${early} that this event names belongs to another organisation`,
  ],
  'a foreign owner of a thing that begins in the next page': [
    (add, at) => claim(add, at, { proofId: late }, other),
    `proofId: the proof ${late} that this event names belongs to another organisation`,
  ],
  'a wrong count': [
    (add, at) => add(`allowance-y-${at}`, 'UnitTaken', { documentId, used: 2 }),
    'used: the value is 2, but 1 follows from the events',
  ],
  'a count that is no number': [
    (add, at) => add(`allowance-y-${at}`, 'UnitTaken', { documentId, used: null }),
    'used: the value is null, but 1 follows from the events',
  ],
  'a count that is a text': [
    (add, at) => add(`allowance-y-${at}`, 'UnitTaken', { documentId, used: '1' }),
    'used: the value is "1", but 1 follows from the events',
  ],
  'a second beginning': [
    (add) => create(add, `workspace-${workspaceId}`, workspaceId),
    `workspaceId: an earlier event begins the workspace ${workspaceId} already`,
  ],
  'a row that is not ASCII': [
    (add, at) => claim(add, at, { note: 'Café', proofId: nowhere }),
    unknown,
  ],
  'a row with escapes, a fraction and depth': [
    (add, at) => {
      const deep = JSON.parse(`${'['.repeat(20)}1.5${']'.repeat(20)}`);
      claim(add, at, { deep, note: '"\\\n', proofId: nowhere });
    },
    unknown,
  ],
};

test('threads find each wrong row in each page, by position and cause', async (t) => {
  const placed: Record<number, (add: Add) => void> = {};
  const expected: string[] = [];
  const put = (position: number, [place, fault]: Wrong) => {
    placed[position] = (add) => place(add, position);
    expected.push(`references position ${position} (data): ${fault}`);
  };
  // The last rows of the first page, the first ones of the second page, and the last rows of all.
  for (const [n, one] of Object.values(wrong).entries()) {
    for (const position of [500 + 31 * n, pageEnd - 1 - n, pageEnd + 1 + n, last - n]) {
      put(position, one);
    }
  }
  put(2_200, [
    (add) => create(add, 'workspace-x', elsewhere),
    `workspaceId: the stream of the workspace ${elsewhere} has another name`,
  ]);
  const { found, read } = await audited(t, write(placed));
  t.strictSame(found, expected.toSorted());
  t.equal(found.length, 4 * Object.keys(wrong).length + 1);
  t.strictSame(read, wholePages, 'no row was read without threads');
});

test('threads let the first of two beginnings count, whichever page has the second', async (t) => {
  const shared = '01M7XT7V10RJ1CFD26ZBSKQXD9';
  // A revision begins its document in the stream of another one.
  const begins = (by: string, note: string) => (add: Add) =>
    add(`document-${by}`, 'RevisionChained', { documentId: shared, note }, by);
  const names = (by: string) => (add: Add) =>
    add(`allowance-${by}`, 'UnitTaken', { documentId: shared, used: 1 }, by);
  const damage = 'UPDATE events SET meta = \'{"actor":"api"}\' WHERE position = 1000';
  for (const second of [1_010, pageEnd + 20]) {
    for (const [note, ...changes] of [['plain'], ['Café'], ['damaged', damage]] as const) {
      const placed: Placed = {
        1000: begins(owner, note),
        [second]: begins(other, 'plain'),
        [second + 1]: names(other),
        [second + 2]: names(owner),
      };
      const { found, read } = await audited(t, write(placed), ...changes);
      const others = found.filter((text) => !text.startsWith('events position 1000 (meta)'));
      t.strictSame(others, [
        `references position ${second} (data): documentId: an earlier event begins the document ${shared} already`,
        `references position ${second + 1} (data): documentId: the document ${shared} that this event names belongs to another organisation`,
      ]);
      t.equal(found.length - others.length, changes.length);
      t.strictSame(read, wholePages);
    }
  }
});

test('threads begin nothing in advance in a page with a damaged row, and find all references', async (t) => {
  const placed = { 1000: claims(nowhere), 1010: claims(early, other) };
  const damage = 'UPDATE events SET meta = \'{"actor":"api"}\' WHERE position = 500';
  const { found, read } = await audited(t, write(placed), damage);
  t.match(found, [
    /^events position 500 \(meta\): the stored leaf does not match/,
    /^references position 1000 \(data\): proofId: no event begins the proof/,
    /^references position 1010 \(data\): proofId: the proof \w+ .* belongs to another organisation$/,
  ]);
  t.strictSame(read, wholePages);
});

test('threads find references around missing rows, each once', async (t) => {
  const placed = { 10: claims(nowhere), 1010: claims(early, other) };
  const cut = 'DELETE FROM events WHERE position IN (7, 600, 601)';
  const { found } = await audited(t, write(placed), cut);
  const faults = found.filter((text) => !text.includes(' > '));
  t.strictSame(
    faults.map((text) => text.replace(/:.*/s, '')),
    [
      'events position 600 (position)',
      'events position 7 (position)',
      'references position 10 (data)',
      'references position 1010 (data)',
    ],
  );
  t.equal(found.filter((text) => / already$/.test(text)).length, 0, 'nothing begins twice');
});

test('threads find rows in an inherited table, and a second row of a position there', async (t) => {
  const inherited = [
    'CREATE TABLE more () INHERITS (events)',
    `WITH moved AS (DELETE FROM ONLY events WHERE position BETWEEN 900 AND 2100 RETURNING *)
       INSERT INTO more SELECT * FROM moved`,
  ];
  t.strictSame((await audited(t, write(), ...inherited)).found, []);
  const placed = { 1000: claims(nowhere), 2100: claims(early, other) };
  const { found, read } = await audited(t, write(placed), ...inherited);
  t.match(found, [
    /^references position 1000 \(data\): proofId: no event begins the proof/,
    /^references position 2100 \(data\): proofId: the proof \w+ .* belongs to another organisation$/,
  ]);
  t.strictSame(read, wholePages);

  // The index of the parent table knows nothing of the child. The highest version comes second.
  const [base] = write({ [last]: claims(nowhere) }).rows.slice(-1) as [EventRow];
  const second = { ...base, version: 9_000, event_id: `01${'Z'.repeat(24)}` };
  const insert = (position: number) => `
    INSERT INTO more VALUES (${position}, '${owner}', '${second.stream}', ${second.version},
      '${second.event_id}', '${second.type}', ${second.schema}, '${second.recorded_at}',
      '${second.data}', '${second.meta}', '\\x${leafHash(leafInputOf(second)).toString('hex')}')`;
  for (const position of [1_500, 2_300]) {
    const twice = await audited(t, write(), ...inherited, insert(position));
    t.equal(twice.found.length, 2, twice.found.join('\n'));
    t.equal(twice.found[0], `events position ${position} (position): the position is there twice`);
    t.match(twice.found[1], / > references position \d+ \(data\): proofId: no event begins the/);
    // A missing row of the same page keeps the number of rows.
    for (const missing of [position + 10, position < pageEnd ? 900 : pageEnd + 1]) {
      const cut = `DELETE FROM events WHERE position = ${missing}`;
      const text = (await audited(t, write(), ...inherited, insert(position), cut)).found.join(
        '\n',
      );
      t.match(text, new RegExp(`position ${position} .position.: the position is there twice`));
      t.match(text, new RegExp(`event ${missing} is missing`));
      t.match(text, /no event begins the proof/);
      t.notMatch(text, / already$/m, 'nothing begins twice');
    }
  }
});
