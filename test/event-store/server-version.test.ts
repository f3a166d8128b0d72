import { test } from 'tap';
import { checkServerVersion, judgeServerVersion } from '../../src/event-store/server-version.ts';
import { createTestDatabase } from '../support/database.ts';
import { asMajorVersion } from '../support/versioned-postgres.ts';

test('reads version numbers as PostgreSQL writes them', async (t) => {
  const runsOn = (text: string) => `the database runs on PostgreSQL ${text}, `;
  for (const [number, text] of [
    ['90624', '9.6.24'],
    ['100023', '10.23'],
  ] as const) {
    t.throws(() => judgeServerVersion(number), { message: runsOn(text) });
  }
  for (const [number, text] of [
    ['190000', '19.0'],
    ['1000012', '100.12'],
  ] as const) {
    t.match(judgeServerVersion(number), runsOn(text));
  }
  for (const other of ['', '15', '15.18', '150018 ', 'x150018']) {
    t.throws(() => judgeServerVersion(other), {
      message: `"${other}" is not a server_version_num of`,
    });
  }
});

test('supports versions 15 to 18, refuses older ones and warns of newer ones', async (t) => {
  for (const number of ['150000', '150018', '160014', '170010', '180004', '180099']) {
    t.equal(judgeServerVersion(number), null, number);
  }
  for (const [number, text] of [
    ['140023', '14.23'],
    ['90624', '9.6.24'],
  ] as const) {
    t.throws(() => judgeServerVersion(number), {
      message: `the database runs on PostgreSQL ${text}, and Proofmark needs PostgreSQL 15 to 18: upgrade the server (pg_upgrade, or dump and restore), or set DATABASE_URL to another one`,
    });
  }
  t.equal(
    judgeServerVersion('190001'),
    'the database runs on PostgreSQL 19.1, which is untested: use PostgreSQL 15 to 18 in production',
  );
});

test('the test server has a supported version', async (t) => {
  const { url } = await createTestDatabase(t, { migrate: false });
  t.equal(await checkServerVersion(url), null);
  await t.rejects(checkServerVersion(await asMajorVersion(t, url, 14)), {
    message: /^the database runs on PostgreSQL 14\.\d+, /,
  });
  t.match(await checkServerVersion(await asMajorVersion(t, url, 19)), 'PostgreSQL 19.');
});
