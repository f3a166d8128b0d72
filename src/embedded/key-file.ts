import { randomBytes } from 'node:crypto';
import { chmod, link, mkdir, open, readFile, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { OperatorError } from '../errors/operator-error.ts';

const keyBytes = 32;

/**
 * Reads a key in DATA_DIR (32 bytes, in base64, mode 0600), or creates it at the first call. The
 * key is durable before this resolves, and never replaced. If `mayCreate` is false, a missing key
 * is an error, with `ifLost` as advice. If several processes create it concurrently, one wins, and
 * all get its key.
 */
export async function readOrCreateKey(options: {
  readonly dataDir: string;
  readonly name: string;
  readonly mayCreate: boolean;
  readonly ifLost: string;
}): Promise<Buffer> {
  const folder = resolve(options.dataDir);
  const file = join(folder, options.name);
  const present = await readKey(file);
  if (present !== null) return present;
  if (!options.mayCreate) throw new KeyFileError(`${file} is missing, ${options.ifLost}`);
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await create(folder, file);
  } catch (cause) {
    throw new KeyFileError(`${file} cannot be created: ${messageOf(cause)}`, { cause });
  }
  const made = await readKey(file);
  if (made === null) throw new KeyFileError(`${file} vanished while it was created`);
  return made;
}

/** A key of a DATA_DIR cannot be read or made. The message is one line for the operator. */
export class KeyFileError extends OperatorError {}

/** Writes the key completely under another name first; `link` fails if another process won. */
async function create(folder: string, file: string): Promise<void> {
  const unfinished = `${file}.${randomBytes(6).toString('hex')}`;
  try {
    const handle = await open(unfinished, 'wx', 0o600);
    try {
      await handle.writeFile(`${randomBytes(keyBytes).toString('base64')}\n`);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await link(unfinished, file).catch((error: unknown) => {
      if (codeOf(error) !== 'EEXIST') throw error;
    });
  } finally {
    await rm(unfinished, { force: true });
  }
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function readKey(file: string): Promise<Buffer | null> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
    await chmod(file, 0o600);
  } catch (cause) {
    if (codeOf(cause) === 'ENOENT') return null;
    throw new KeyFileError(`${file} cannot be read: ${messageOf(cause)}`, { cause });
  }
  const key = Buffer.from(text.trim(), 'base64');
  if (key.length === keyBytes && key.toString('base64') === text.trim()) return key;
  throw new KeyFileError(
    `${file} is damaged: it must hold ${keyBytes} bytes in base64; restore your copy of it`,
  );
}

function codeOf(cause: unknown): unknown {
  return cause instanceof Error && 'code' in cause ? cause.code : undefined;
}

function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
