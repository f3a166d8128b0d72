/**
 * A process that, at a line on its input, makes `count` calls, ten at a time, in competition with others.
 * They use two keys of one organisation in turn. Prints the number of permitted calls.
 */
import { pino } from 'pino';
import { createPostgresLimiter } from '../../src/http/limits/postgres-limiter.ts';
import type { Quota } from '../../src/http/limits/quota.ts';
import { firstLine } from './first-line.ts';

const [url = '', count = '0', ofAKey = '0', ofAll = '0'] = process.argv.slice(2);
const log = pino({ level: 'silent' });
const limiter = createPostgresLimiter(url, { log, timeoutMs: 60_000 });
// Connect first, so that the race is not one of connecting.
await limiter.look([{ subject: 'other', limits: { perMinute: 1, perDay: 1 }, of: 'caller' }]);
console.log('ready');
await firstLine(process.stdin);
const limits = { perMinute: Number(ofAKey), perDay: 1_000 };
const organisation: Quota = {
  ...{ subject: 'organisation', limits: { perMinute: 1_000, perDay: Number(ofAll) } },
  of: 'organisation',
};
const call = (_: unknown, n: number) =>
  limiter.take([{ subject: n % 2 ? 'odd' : 'even', limits, of: 'caller' }, organisation]);
const verdicts = [];
for (let left = Number(count); left > 0; left -= 10) {
  const some = Array.from({ length: Math.min(10, left) }, call);
  verdicts.push(...(await Promise.all(some)));
}
await limiter.close();
console.log(verdicts.filter((verdict) => verdict?.allowed).length);
