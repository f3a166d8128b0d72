import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { replaceFile } from '../../files/replace-file.ts';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';

/** Connection to the PostgreSQL of a DATA_DIR, kept in its `postgres.json` (0600). */
export interface Connection {
  readonly port: number;
  readonly password: string;
  /** PostgreSQL's data folder: relative to DATA_DIR if inside it, otherwise absolute. */
  readonly cluster: string;
  /** True once that folder was complete. */
  readonly initialised: boolean;
}

export const databaseName = 'proofmark';
export const databaseUser = 'proofmark';

const fileName = 'postgres.json';

/** Undefined if no start has written the file yet. */
export async function readConnection(dataDir: string): Promise<Connection | undefined> {
  const file = join(dataDir, fileName);
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return undefined;
    throw unusable(file, cause);
  }
  const connection = parse(text);
  if (connection === undefined) throw unusable(file, new Error('its content is damaged'));
  return connection;
}

/** Durable when it returns. A reader sees the old or the new content, never a part. */
export async function writeConnection(dataDir: string, connection: Connection): Promise<void> {
  await replaceFile(join(dataDir, fileName), `${JSON.stringify(connection, null, 2)}\n`, 0o600);
}

export function newPassword(): string {
  return randomBytes(24).toString('base64url');
}

export function urlOf({ port, password }: Connection, database = databaseName): string {
  return `postgres://${databaseUser}:${password}@127.0.0.1:${port}/${database}`;
}

function parse(text: string): Connection | undefined {
  try {
    const { port, password, cluster, initialised } = JSON.parse(text) as Record<string, unknown>;
    return typeof port === 'number' &&
      typeof password === 'string' &&
      typeof cluster === 'string' &&
      typeof initialised === 'boolean'
      ? { port, password, cluster, initialised }
      : undefined;
  } catch {
    return undefined;
  }
}

function unusable(file: string, cause: unknown): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    'CONNECTION_FILE_UNUSABLE',
    `${file} holds the port and password of the embedded PostgreSQL and cannot be read: ${cause instanceof Error ? cause.message : cause}`,
    { cause },
  );
}
