import { OperatorError } from '../errors/operator-error.ts';
import { connectionTo } from './connection-to.ts';
import { DatabaseClient } from './database-client.ts';

/** Major versions of PostgreSQL that the tests run against. */
const supportedVersions = { oldest: 15, newest: 18 } as const;

const supported = `PostgreSQL ${supportedVersions.oldest} to ${supportedVersions.newest}`;

/** The database's server is too old. The message is one line for the operator. */
class UnsupportedPostgres extends OperatorError {}

/**
 * Asks the server for its version. Resolves with null if the version is supported, and with a
 * one-line warning for the operator if it is newer than all tested ones. Rejects with
 * UnsupportedPostgres if the version is older, otherwise with the driver's errors.
 */
export async function checkServerVersion(url: string): Promise<string | null> {
  // Send no settings of ours: an old server does not know all of them.
  const client = new DatabaseClient({
    ...connectionTo(url, null),
    connectionTimeoutMillis: 10_000,
  });
  client.on('error', () => {});
  try {
    await client.connect();
    const { rows } = await client.query<{ server_version_num: string }>('SHOW server_version_num');
    return judgeServerVersion(rows[0]?.server_version_num ?? '');
  } finally {
    await client.end().catch(() => {});
  }
}

/** Checks an answer to `SHOW server_version_num` in the same way. */
export function judgeServerVersion(serverVersionNum: string): string | null {
  const { major, text } = parseServerVersion(serverVersionNum);
  if (major < supportedVersions.oldest) {
    throw new UnsupportedPostgres(
      `the database runs on PostgreSQL ${text}, and Proofmark needs ${supported}: upgrade the server (pg_upgrade, or dump and restore), or set DATABASE_URL to another one`,
    );
  }
  if (major <= supportedVersions.newest) return null;
  return `the database runs on PostgreSQL ${text}, which is untested: use ${supported} in production`;
}

/**
 * Parses PostgreSQL's version number: 150018 is 15.18. Before version 10 a major version had two
 * parts: 90624 is 9.6.24.
 */
function parseServerVersion(serverVersionNum: string): {
  readonly major: number;
  readonly text: string;
} {
  const number = /^\d{5,7}$/.test(serverVersionNum) ? Number(serverVersionNum) : Number.NaN;
  if (Number.isNaN(number)) {
    throw new Error(`"${serverVersionNum}" is not a server_version_num of PostgreSQL`);
  }
  const major = Math.floor(number / 10_000);
  const rest = number % 10_000;
  const minor = major >= 10 ? `${rest}` : `${Math.floor(rest / 100)}.${rest % 100}`;
  return { major, text: `${major}.${minor}` };
}
