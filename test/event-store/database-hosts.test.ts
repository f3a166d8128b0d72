import { test } from 'tap';
import { parseDatabaseHosts } from '../../src/event-store/database-hosts.ts';

test('a URL of one server stays as it is', (t) => {
  for (const url of [
    'postgres://user:p%40ss@host:5432/db?sslmode=require&options=-c%20jit%3Don',
    'postgresql://host/db',
    'postgres:///db?host=/run/postgresql',
    'postgres://user:password@[::1]:5433/db?target_session_attrs=any',
  ]) {
    const urls = [url];
    t.strictSame(parseDatabaseHosts(url), { urls, takesWrites: false });
  }
  t.end();
});

test('a URL of several servers is one URL for each', (t) => {
  const rest = '/db?sslmode=require';
  const expected = {
    urls: [
      `postgres://u:p,@a:1${rest}`,
      `postgres://u:p,@b${rest}`,
      `postgres://u:p,@[::1]:3${rest}`,
    ],
    takesWrites: true,
  };
  const hosts = 'postgres://u:p,@a:1,b,[::1]:3';
  t.strictSame(parseDatabaseHosts(`${hosts}${rest}`), expected);
  t.strictSame(parseDatabaseHosts(`${hosts}${rest}&target_session_attrs=read-write`), expected);
  t.match(parseDatabaseHosts('postgres://a/db?target_session_attrs=primary'), {
    urls: ['postgres://a/db'],
    takesWrites: true,
  });
  t.end();
});

test('a URL that cannot mean a database that takes writes is refused', (t) => {
  for (const url of [
    'a database',
    'mysql://host/db',
    'postgres://a,,b/db',
    'postgres://a:99999/db',
    'postgres://a,b:x/db',
    'postgres://a,b/db?target_session_attrs=standby',
    'postgres://a/db?target_session_attrs=toString',
  ]) {
    t.equal(parseDatabaseHosts(url), null, url);
  }
  t.end();
});
