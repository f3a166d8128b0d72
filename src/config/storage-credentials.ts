import { Secret } from './secret.ts';
import { readSecretFiles } from './secret-files.ts';

/** Names of the AWS environment. */
const names = ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_SESSION_TOKEN'];

/** A key pair of the bucket. */
export type StorageCredentials = Secret<{
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}>;

/**
 * Reads the bucket's credentials from the files that `AWS_…_FILE` names. Null without such a variable:
 * the AWS SDK then looks in the environment, in its profiles and at the machine's own service.
 * `problems` has a line for each mistake.
 */
export function readStorageCredentials(env: Readonly<Record<string, string | undefined>>): {
  readonly credentials: StorageCredentials | null;
  readonly problems: readonly string[];
} {
  const named = names.map((name) => `${name}_FILE`).filter((name) => env[name] !== undefined);
  if (named.length === 0) return { credentials: null, problems: [] };
  const { given, problems } = readSecretFiles(env, names);
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey } = given;
  const sessionToken = given.AWS_SESSION_TOKEN;
  if (problems.length > 0) return { credentials: null, problems };
  if (accessKeyId === undefined || secretAccessKey === undefined) {
    const missing = accessKeyId === undefined ? 'AWS_ACCESS_KEY_ID' : 'AWS_SECRET_ACCESS_KEY';
    const problem = `${named.join(', ')}: ${missing} is needed too: give it, or ${missing}_FILE`;
    return { credentials: null, problems: [problem] };
  }
  const pair = { accessKeyId, secretAccessKey, ...(sessionToken && { sessionToken }) };
  return { credentials: new Secret(pair), problems: [] };
}
