import { mkdir, open, opendir, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import {
  type BlobKey,
  checkBlobKey,
  isBlobKey,
  organisationOfBlob,
} from '../domain/blob/blob-key.ts';
import { isUlid, type OrganisationId } from '../domain/ulid.ts';
import { BlobCorrupt } from './blob-corrupt.ts';
import { BlobMissing } from './blob-missing.ts';
import type { BlobFacts, BlobStorage, ListedBlob, StagedBlob } from './contract.ts';
import { checkErased, erasedOf, erasuresName, formatErasureNote } from './erasure-notes.ts';
import { formatLogMark, type LogMark, logMarkName, parseLogMark } from './log-mark.ts';
import { makeSubfolder } from './make-subfolder.ts';
import { missing } from './missing.ts';
import { StagingArea } from './staging-area.ts';
import { StorageUnavailable } from './storage-unavailable.ts';
import { verifiedStream } from './verified-stream.ts';

export const stagingName = '.staging';
const readAheadBytes = 256 * 1_024;

/**
 * Blobs as files: `<folder>/<organisationId>/<ULID>`, received in `<folder>/.staging`. A folder
 * that several processes or machines share must rename atomically, as any POSIX file system does.
 * Once it is open, a folder without `.staging` is taken for a volume that is not mounted: away.
 */
export class FileStorage implements BlobStorage {
  readonly #folder: string;
  readonly #staging: StagingArea;
  /** Organisations whose folder is there and stays there. */
  readonly #ready = new Map<OrganisationId, Promise<string>>();

  private constructor(folder: string, staging: StagingArea) {
    this.#folder = folder;
    this.#staging = staging;
  }

  /** @param folder absolute; made (0700) if it is not there */
  static async open(folder: string): Promise<FileStorage> {
    return await using(`the folder ${folder}`, async () => {
      await makeFolder(folder);
      return new FileStorage(
        folder,
        await StagingArea.open(join(folder, stagingName), { durable: true }),
      );
    });
  }

  stage(source: Readable): Promise<StagedBlob> {
    return this.#staging.stage(source);
  }

  async put(key: BlobKey, staged: StagedBlob): Promise<void> {
    const file = this.#fileOf(key);
    try {
      await using(`writing blob ${key}`, async () => {
        const folder = await this.#folderOf(organisationOfBlob(key));
        // The staged file is on stable storage; this makes its new name be so too.
        await rename(staged.path, file);
        await syncFolder(folder);
      });
    } catch (trouble) {
      this.#ready.delete(organisationOfBlob(key));
      throw trouble;
    } finally {
      await staged.discard();
    }
  }

  async open(key: BlobKey, expected: BlobFacts): Promise<Readable> {
    const file = this.#fileOf(key);
    return await using(`reading blob ${key}`, async () => {
      const handle = await open(file, 'r').catch(missing(null));
      if (handle === null) {
        await this.#checkThere();
        throw new BlobMissing(key);
      }
      const { size } = await handle.stat();
      if (size !== expected.sizeBytes) {
        await handle.close();
        throw new BlobCorrupt(key, `it has ${size} bytes, not ${expected.sizeBytes}`);
      }
      const source = handle.createReadStream({ highWaterMark: readAheadBytes });
      return verifiedStream(key, source, expected);
    });
  }

  async delete(key: BlobKey): Promise<void> {
    const file = this.#fileOf(key);
    await using(`deleting blob ${key}`, async () => {
      await this.#checkThere();
      await rm(file, { force: true });
      await syncFolder(join(this.#folder, organisationOfBlob(key))).catch(missing(undefined));
    });
  }

  async deleteAll(organisationId: OrganisationId): Promise<void> {
    if (!isUlid(organisationId)) throw new TypeError('an organisation id must be a ULID');
    this.#ready.delete(organisationId);
    await using(`deleting the blobs of ${organisationId}`, async () => {
      await this.#checkThere();
      await rm(join(this.#folder, organisationId), { recursive: true, force: true });
      await syncFolder(this.#folder);
    });
  }

  async *list(): AsyncIterable<ListedBlob> {
    try {
      await this.#checkThere();
      for (const organisationId of (await readdir(this.#folder)).filter(isUlid)) {
        const folder = join(this.#folder, organisationId);
        for await (const { name } of (await opendir(folder).catch(missing(null))) ?? []) {
          const key = `${organisationId}/${name}`;
          if (!isBlobKey(key)) continue;
          const found = await stat(join(folder, name)).catch(missing(null));
          if (found?.isFile()) yield { key, storedAt: found.mtime };
        }
      }
    } catch (trouble) {
      throw StorageUnavailable.wrap(trouble, 'the file storage failed: listing blobs');
    }
  }

  async sweepLeftovers(before: Date): Promise<number> {
    return await using('sweeping staged files', () => this.#staging.sweep(before));
  }

  async readLogMark(): Promise<LogMark | null> {
    const text = await using('reading the mark of the log', async () => {
      const found = await readFile(this.#markFile(), 'utf8').catch(missing(null));
      // A storage that is away has not lost its mark.
      if (found === null) await this.#checkThere();
      return found;
    });
    return text === null ? null : parseLogMark(text);
  }

  async writeLogMark(mark: LogMark): Promise<void> {
    const staged = await this.#staging.stage(Readable.from([Buffer.from(formatLogMark(mark))]));
    try {
      await using('writing the mark of the log', async () => {
        await rename(staged.path, this.#markFile());
        await syncFolder(this.#folder);
      });
    } finally {
      await staged.discard();
    }
  }

  async noteErasure(organisationId: OrganisationId): Promise<void> {
    const name = checkErased(organisationId);
    const note = formatErasureNote(organisationId, new Date());
    const staged = await this.#staging.stage(Readable.from([Buffer.from(note)]));
    try {
      await using(`noting the erasure of ${name}`, async () => {
        const folder = join(this.#folder, erasuresName);
        await makeSubfolder(folder);
        await syncFolder(this.#folder);
        await rename(staged.path, join(folder, name));
        await syncFolder(folder);
      });
    } finally {
      await staged.discard();
    }
  }

  async erasures(): Promise<ReadonlySet<OrganisationId>> {
    return await using('reading which organisations were erased', async () => {
      await this.#checkThere();
      return erasedOf(await readdir(join(this.#folder, erasuresName)).catch(missing([])));
    });
  }

  async close(): Promise<void> {
    // Nothing is kept open.
  }

  /** Throws if the storage is away: what is not found says nothing then. */
  async #checkThere(): Promise<void> {
    await stat(join(this.#folder, stagingName));
  }

  #markFile(): string {
    return join(this.#folder, logMarkName);
  }

  #fileOf(key: BlobKey): string {
    return join(this.#folder, checkBlobKey(key));
  }

  /** Makes the organisation's folder once, and its name survive a loss of power. */
  #folderOf(organisationId: OrganisationId): Promise<string> {
    const known = this.#ready.get(organisationId);
    if (known !== undefined) return known;
    const folder = join(this.#folder, organisationId);
    const made = makeSubfolder(folder)
      .then(() => syncFolder(this.#folder))
      .then(() => folder);
    this.#ready.set(organisationId, made);
    return made;
  }
}

/** Errors of the file system mean that the storage cannot be used. */
async function using<Value>(what: string, effect: () => Promise<Value>): Promise<Value> {
  try {
    return await effect();
  } catch (trouble) {
    throw StorageUnavailable.wrap(trouble, `the file storage failed: ${what}`);
  }
}

/** Makes a folder (0700) with those above it, all of which survive a loss of power. */
async function makeFolder(folder: string): Promise<void> {
  const highest = await mkdir(folder, { recursive: true, mode: 0o700 });
  if (highest === undefined) return;
  for (let made = folder; made.length >= highest.length; made = dirname(made)) {
    await syncFolder(dirname(made));
  }
}

/** Makes what was renamed or deleted in a folder survive a loss of power. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
