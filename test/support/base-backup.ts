import { execFile } from 'node:child_process';
import { appendFile, chmod, chown, mkdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';

const run = promisify(execFile);

/** A base backup of a running PostgreSQL, made as in the runbook but without pg_basebackup. */
export interface BaseBackup {
  /**
   * Replaces the stopped cluster by the backup. `upTo` says how much WAL is replayed: `latest` up to the
   * end of the cluster, `backup` only until the backup is consistent.
   */
  restore(upTo: 'latest' | 'backup'): Promise<void>;
  /** Restores as a standby that replays WAL until the backup is consistent, and the rest on `catchUp`. */
  restoreAsStandby(): Promise<{ catchUp(): Promise<void> }>;
}

/**
 * Copies the files between `pg_backup_start` and `pg_backup_stop`
 * (https://www.postgresql.org/docs/18/continuous-archiving.html#BACKUP-LOWLEVEL-BASE-BACKUP). WAL is copied
 * then, and again after the end of the cluster, in place of continuous archiving.
 */
export async function takeBaseBackup(url: string, cluster: string): Promise<BaseBackup> {
  const copy = `${cluster}-backup`;
  const archive = `${cluster}-archive`;
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  let label: string;
  try {
    await client.query("SELECT pg_backup_start('test', fast => true)");
    // Files that PostgreSQL changes meanwhile may be torn or vanish; replaying WAL repairs them.
    await run('cp', ['-a', cluster, copy]).catch(() => {});
    const stopped = 'SELECT labelfile FROM pg_backup_stop(wait_for_archive => false)';
    label = (await client.query<{ labelfile: string }>(stopped)).rows[0]?.labelfile ?? '';
  } finally {
    await client.end();
  }
  const keepWal = async (folder = archive) => {
    await mkdir(folder, { recursive: true });
    await run('cp', ['-a', `${cluster}/pg_wal/.`, folder]);
    const { uid, gid } = await stat(cluster);
    await chown(folder, uid, gid);
  };
  await keepWal();
  for (const name of ['postmaster.pid', 'postmaster.opts', 'pg_wal']) {
    await rm(join(copy, name), { recursive: true, force: true });
  }
  let isEnded = false;
  const { uid, gid } = await stat(cluster);
  const own = async (name: string, text: string) => {
    await writeFile(join(cluster, name), text);
    await chown(join(cluster, name), uid, gid);
  };
  const putInPlace = async (signal: 'recovery.signal' | 'standby.signal', settings: string) => {
    await rm(cluster, { recursive: true });
    await run('cp', ['-a', copy, cluster]);
    const wal = join(cluster, 'pg_wal');
    await mkdir(wal);
    await chown(wal, uid, gid);
    await chmod(wal, 0o700);
    await own('backup_label', label);
    await own(signal, '');
    await appendFile(
      join(cluster, 'postgresql.auto.conf'),
      `restore_command = '/bin/cp "${archive}/%f" "%p"'\n${settings}`,
    );
  };
  return {
    async restore(upTo) {
      if (!isEnded) await keepWal();
      isEnded = true;
      const target = upTo === 'backup' ? "recovery_target = 'immediate'\n" : '';
      const action = "recovery_target_timeline = 'current'\nrecovery_target_action = 'promote'\n";
      await putInPlace('recovery.signal', `${action}${target}`);
    },
    async restoreAsStandby() {
      const later = `${cluster}-later`;
      await keepWal(later);
      await putInPlace('standby.signal', "wal_retrieve_retry_interval = '50ms'\n");
      return {
        async catchUp() {
          await run('cp', ['-a', `${later}/.`, archive]);
        },
      };
    },
  };
}
