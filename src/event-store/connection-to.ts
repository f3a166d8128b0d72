import type pg from 'pg';

type Settings = Readonly<Record<string, string>>;

/**
 * Our statements are short. A forced plan (`enable_seqscan = off`) looks costly to PostgreSQL
 * before version 18. Compiling it takes longer than running it.
 */
const defaults: Settings = { jit: 'off' };

/**
 * Configuration of a connection to the database, for `pg.Pool` and `pg.Client`. Server settings
 * have three ranks: `options` of the URL (or PGOPTIONS of the environment) override our defaults,
 * and `required` overrides both.
 */
export function connectionTo(
  url: string,
  required: Settings = {},
): Pick<pg.PoolConfig, 'connectionString' | 'options'> {
  const parsed = new URL(url);
  const ofUrl = parsed.searchParams.get('options');
  // The driver would use the URL's options in place of ours.
  parsed.searchParams.delete('options');
  const given = ofUrl ?? process.env.PGOPTIONS ?? '';
  const options = [...asOptions(defaults), given, ...asOptions(required)];
  return {
    connectionString: ofUrl === null ? url : parsed.href,
    options: options.filter((option) => option !== '').join(' '),
  };
}

function asOptions(settings: Settings): string[] {
  return Object.entries(settings).map(([name, value]) => `-c ${name}=${value}`);
}
