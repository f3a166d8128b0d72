import { test } from 'tap';
import { Findings } from '../../../../ops/audit/findings/findings.ts';
import { auditInWords } from '../../../../ops/audit/report/audit-in-words.ts';
import { StoreUnavailable } from '../../../../src/event-store/connection-loss.ts';
import { LedgerUnavailable } from '../../../../src/ledger/ledger-unavailable.ts';
import { StorageUnavailable } from '../../../../src/storage/storage-unavailable.ts';

const at = { in: 'events', position: 7, column: 'data' } as const;
const scope = { events: 9, unheld: [] };

test('a million faults are all counted, and the first of each part are listed', async (t) => {
  const findings = new Findings();
  const what = 'x'.repeat(100_000);
  for (let n = 0; n < 1_000_000; n += 1) findings.reportFault({ ...at, position: n, what });
  findings.reportFault({ in: 'tiles', position: null, column: null, what: 'it is missing' });
  findings.reportFault({ ...at, what: 'rows', times: 41 });
  for (let n = 0; n < 1_002; n += 1) findings.reportLost('a checkpoint');
  for (let n = 0; n < 1_003; n += 1) findings.reportUnchecked({ ...at, what: 'a tile' });
  const report = findings.report();
  t.equal(report.count, 1_000_042);
  t.strictSame(report.counts, { events: 1_000_041, tiles: 1 });
  t.equal(report.faults.length, 1_001);
  t.match(report.faults.at(-1), { in: 'tiles' });
  t.equal(report.faults[0]?.what.length, 1_001);
  t.match(report, { lostCount: 1_002, uncheckedCount: 1_003 });
  const lines = auditInWords(report, scope).split('\n');
  t.equal(lines.length, 3_005);
  for (const line of [
    'lost: 2 more are not listed',
    'events: 999041 more faults are not listed',
    '1000042 faults in 9 events, but 1003 items could not be checked',
    'not checked: 3 more are not listed',
  ]) {
    t.ok(lines.includes(line), line);
  }
});

test('what follows from a damaged event is its consequence, everything else is a fault', async (t) => {
  const findings = new Findings();
  const what = 'it was changed';
  const data = '{"proofId":"01M7XT7V10RJ1CFD26ZBSKQXP7"}';
  findings.reportCause({ ...at, what }, { streams: ['proof-A'], data }, ['HashClaimed']);
  const ledger = { in: 'ledger', position: 7, column: 'data', what: 'the anchor' } as const;
  const row = { in: 'projections', position: null, column: null, what: 'a row' } as const;
  findings.reportFault(ledger);
  findings.reportFault({ ...ledger, position: 8 }, { streams: ['proof-A'] });
  findings.reportFault({ ...ledger, position: 9 }, { streams: ['proof-B'] });
  const ids = ['01m7xt7v10rj1cfd26zbskqxp7'];
  findings.reportFault(row, { ids, types: ['HashClaimed'] });
  findings.reportFault(row, { ids, types: ['PlanChanged'] });
  findings.reportFault(row, { ids: ['01M7XT7V10RJ1CFD26ZBSKQXP6'], types: ['HashClaimed'] });
  const { faults, count, counts } = findings.report();
  t.equal(count, 4);
  t.strictSame(counts, { events: 1, ledger: 1, projections: 2 });
  t.strictSame(faults[0]?.consequences, {
    count: 3,
    first: [
      'ledger position 7 (data): the anchor',
      'ledger position 8 (data): the anchor',
      'projections: a row',
    ],
  });
  const inWords = auditInWords(findings.report(), scope).split('\n');
  t.strictSame(inWords.slice(0, 2), [
    'events position 7 (data): it was changed',
    '  consequence: ledger position 7 (data): the anchor',
  ]);
});

test('a failure is one of the database only if a database is audited', async (t) => {
  const refused = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
  const textOf = async (findings: Findings) => {
    const fail = () => Promise.reject(refused);
    await findings.attempt({ in: 'checkpoints', what: 'the published log' }, fail, null);
    return findings.report().unchecked[0]?.what;
  };
  t.match(await textOf(new Findings()), /DATABASE_URL is right/);
  const given = await textOf(new Findings({ hasDatabase: false }));
  t.equal(given, 'the published log: connect ECONNREFUSED');
  const findings = new Findings();
  const fail = () => Promise.reject(new LedgerUnavailable('no server answers', { cause: refused }));
  await findings.attempt({ in: 'ledger', what: 'the anchors' }, fail, null);
  const ofLedger = findings.report().unchecked[0]?.what;
  t.equal(ofLedger, 'the anchors: no server answers: connect ECONNREFUSED');
});

test('an item whose check fails is reported with its place and does not end the audit', async (t) => {
  const findings = new Findings();
  const failing = (error: unknown) => () => {
    throw error;
  };
  t.equal(await findings.attempt({ in: 'tiles', what: 'it' }, async () => 5, null), 5);
  const part = { ...at, what: 'the row' };
  t.equal(await findings.attempt(part, failing(new TypeError('no such thing')), null), null);
  t.match(findings.report().faults, [{ ...at, what: 'the row cannot be checked: no such thing' }]);
  const outOfReach = [
    new StoreUnavailable({ cause: new Error('it is gone') }),
    new StorageUnavailable('the bucket is away'),
    Object.assign(new Error('permission denied for table events'), { code: '42501' }),
    Object.assign(new Error('the statement was cancelled'), { code: '57014' }),
    Object.assign(new Error('EACCES: permission denied'), { code: 'EACCES', syscall: 'open' }),
    new Error('wrapped', { cause: Object.assign(new Error('reset'), { code: 'ECONNRESET' }) }),
  ];
  for (const error of outOfReach) {
    await findings.attempt({ in: 'checkpoints', what: () => 'the list' }, failing(error), null);
  }
  const { count, unchecked } = findings.report();
  t.equal(count, 1);
  t.equal(unchecked.length, outOfReach.length);
  t.match(unchecked[0]?.what, /^the list: the database cannot be reached \(it is gone\)/);
  t.match(unchecked[2]?.what, /permission denied for table events: grant this privilege to/);
});
