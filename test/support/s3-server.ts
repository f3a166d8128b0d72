import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Test } from 'tap';
import { projectRoot, type Run, run } from './run.ts';

export const s3Bucket = 'proofmark';

/** An S3 server in a process of its own, with one empty bucket. */
export interface S3Server {
  readonly endpoint: string;
  /** Holds the objects. */
  readonly folder: string;
  current(): Run;
  /** Restarts the ended server on the same port with its data. */
  restart(): Promise<void>;
}

/**
 * Starts s3rver and sets its credentials in this process's AWS environment. s3rver supports multipart
 * uploads, but cannot abort or list them. It checks neither signatures of version 4 nor checksums;
 * `createS3Proxy` checks the latter.
 */
export async function startS3Server(t: Pick<Test, 'teardown'>): Promise<S3Server> {
  const folder = await mkdtemp(join(tmpdir(), 'proofmark-s3-'));
  Object.assign(process.env, { AWS_ACCESS_KEY_ID: 'S3RVER', AWS_SECRET_ACCESS_KEY: 'S3RVER' });
  const start = async (wanted: string) => {
    const program = join(projectRoot, 'node_modules/s3rver/bin/s3rver.js');
    const options = ['-d', folder, '-p', wanted, '--no-vhost-buckets', '-s'];
    const bucket = ['--configure-bucket', s3Bucket];
    const server = run(t, [process.execPath, program, ...options, ...bucket]);
    const [, port = ''] = await server.said(/listening on 127\.0\.0\.1:(\d+)/);
    return { server, port };
  };
  const first = await start('0');
  let current = first.server;
  // Teardown runs in reverse order: the server stops before its folder goes.
  t.teardown(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  return {
    endpoint: `http://127.0.0.1:${first.port}`,
    folder,
    current: () => current,
    async restart() {
      await current.ended;
      current = (await start(first.port)).server;
    },
  };
}
