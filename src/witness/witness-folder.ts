import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { acquireDataDirLock, DataDirBusyError } from '../embedded/data-dir-lock.ts';
import { readOrCreateKey } from '../embedded/key-file.ts';
import { OperatorError } from '../errors/operator-error.ts';
import { makeSubfolder } from '../files/make-subfolder.ts';
import { missing } from '../files/missing.ts';
import { replaceFile } from '../files/replace-file.ts';
import { syncFolder } from '../files/sync-folder.ts';
import { type Cosigner, createCosigner } from '../transparency-log/cosigning/cosigner.ts';
import { namingMistakes } from '../transparency-log/cosigning/read-policy.ts';
import type { ReadKey } from '../verifier/log/note-key.ts';
import { parseLogs } from '../verifier/log/policy.ts';
import { isKeyName } from '../verifier/log/signed-note.ts';

/** Files of a witness in its folder. */
const names = { key: 'key', name: 'name', logs: 'logs', checkpoints: 'checkpoints' } as const;

const logsTemplate = `# Logs that this witness cosigns: a line for each key, "log VKEY".
`;

/**
 * Makes the folder of a new witness: a key, its name, an empty list of logs, and a folder for what
 * it cosigns. The key comes last. Rejects if the folder already has a key.
 */
export async function initWitness(folder: string, name: string): Promise<Cosigner> {
  if (!isKeyName(name)) {
    throw new OperatorError(
      'the name of a witness has no white space and no +: example.com/witness',
    );
  }
  await mkdir(folder, { recursive: true, mode: 0o700 });
  return locked(folder, async () => {
    if ((await readdir(folder)).includes(names.key)) {
      throw new OperatorError(`${folder} already has a witness; ops witness serve runs it`);
    }
    await makeSubfolder(join(folder, names.checkpoints));
    await replaceFile(join(folder, names.name), `${name}\n`, 0o600);
    await writeFile(join(folder, names.logs), logsTemplate, { flag: 'wx', mode: 0o600 }).catch(
      existing,
    );
    await syncFolder(folder);
    return createCosigner(name, await readKey(folder, true));
  });
}

/** Reads the key of a witness under its name. */
export async function readCosigner(folder: string): Promise<Cosigner> {
  const name = await readFile(join(folder, names.name), 'utf8').catch(missing(null));
  if (name === null) {
    throw new OperatorError(`${folder} has no witness; ops witness init makes one`);
  }
  return createCosigner(name.trim(), await readKey(folder, false));
}

/** Opens the folder for a process that cosigns. Rejects while another process uses it. */
export async function openWitnessFolder(folder: string): Promise<{
  readonly cosigner: Cosigner;
  readonly logs: readonly ReadKey[];
  /** Folder of the cosigned checkpoints. */
  readonly checkpoints: string;
  readonly release: () => Promise<void>;
}> {
  const cosigner = await readCosigner(folder);
  const { release } = await lock(folder);
  try {
    const checkpoints = join(folder, names.checkpoints);
    await readdir(checkpoints).catch(() => {
      throw new OperatorError(
        `${checkpoints} is missing: this witness no longer knows what it cosigned, and must not go on. ` +
          'Put the very same folder back, never an older copy, or make a new witness with a new key',
      );
    });
    return { cosigner, logs: await readLogs(join(folder, names.logs)), checkpoints, release };
  } catch (error) {
    await release();
    throw error;
  }
}

async function readLogs(file: string): Promise<readonly ReadKey[]> {
  const text = await readFile(file, 'utf8').catch(missing(''));
  return namingMistakes(file, () => parseLogs(text));
}

function readKey(folder: string, mayCreate: boolean): Promise<Buffer> {
  const ifLost = 'and another key is another witness: restore your copy of it';
  return readOrCreateKey({ dataDir: folder, name: names.key, mayCreate, ifLost });
}

async function locked<Result>(folder: string, work: () => Promise<Result>): Promise<Result> {
  const { release } = await lock(folder);
  try {
    return await work();
  } finally {
    await release();
  }
}

async function lock(folder: string) {
  try {
    return await acquireDataDirLock(folder);
  } catch (error) {
    if (!(error instanceof DataDirBusyError)) throw error;
    const by = error.pid === undefined ? 'another process' : `another process (pid ${error.pid})`;
    throw new OperatorError(
      `the folder of the witness, ${folder}, is in use by ${by}: stop it first`,
    );
  }
}

function existing(trouble: unknown): void {
  const isThere = trouble instanceof Error && 'code' in trouble && trouble.code === 'EEXIST';
  if (!isThere) throw trouble;
}
