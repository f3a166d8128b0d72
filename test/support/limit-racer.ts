/**
 * A process that makes `count` calls of one subject at once, beside others that do the same, when it
 * is told to by a line on its input. Prints how many were let through.
 */
import { pino } from 'pino';
import { createPostgresLimiter } from '../../src/http/limits/postgres-limiter.ts';
import { firstLine } from './first-line.ts';

const [url = '', count = '0', perMinute = '0', perDay = '0'] = process.argv.slice(2);
const log = pino({ level: 'silent' });
const limiter = createPostgresLimiter(url, { log, timeoutMs: 60_000 });
// So that the race is not one of starting.
await limiter.look('other', { perMinute: 1, perDay: 1 });
console.log('ready');
await firstLine(process.stdin);
const limits = { perMinute: Number(perMinute), perDay: Number(perDay) };
const verdicts = [];
for (let left = Number(count); left > 0; left -= 10) {
  const some = Array.from({ length: Math.min(10, left) }, () => limiter.take('raced', limits));
  verdicts.push(...(await Promise.all(some)));
}
await limiter.close();
console.log(verdicts.filter((verdict) => verdict?.allowed).length);
