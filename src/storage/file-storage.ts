import { mkdir, open, opendir, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { type BlobKey, checkBlobKey, organisationOfBlob } from '../domain/blob/blob-key.ts';
import { isUlid, type OrganisationId } from '../domain/ulid.ts';
import type { FileEncryption } from '../encrypted-files/file-encryption.ts';
import { makeSubfolder } from '../files/make-subfolder.ts';
import { missing } from '../files/missing.ts';
import { syncFolder } from '../files/sync-folder.ts';
import { type BlobForm, blobName, parseBlobName } from './blob-form.ts';
import type { StagedBlob } from './contract.ts';
import { checkErased, erasedOf, erasuresName, formatErasureNote } from './erasure-notes.ts';
import { formatLogMark, type LogMark, logMarkName, parseLogMark } from './log-mark.ts';
import type { ListedObject, ObjectStorage, StoredObject } from './object-storage.ts';
import { fileReadMs, reachingFiles, readingFiles } from './reaching.ts';
import { StagingArea } from './staging-area.ts';
import { checkMounted, holdsFiles, stagingName } from './storage-folder.ts';
import { wrapStorageError } from './wrap-storage-error.ts';

const readAheadBytes = 256 * 1_024;

/**
 * Blobs as files: `<folder>/<organisationId>/<ULID>.enc`, received in `<folder>/.staging`. A folder
 * that several processes or machines share must rename atomically, as any POSIX file system does.
 * After opening, a folder without `.staging` counts as an unmounted volume: unavailable.
 */
export class FileStorage implements ObjectStorage {
  readonly #folder: string;
  readonly #staging: StagingArea;
  readonly #readMs: number;
  /** Organisations whose folder exists durably. */
  readonly #ready = new Map<OrganisationId, Promise<string>>();

  private constructor(folder: string, staging: StagingArea, readMs = fileReadMs) {
    this.#folder = folder;
    this.#staging = staging;
    this.#readMs = readMs;
  }

  /**
   * @param folder absolute; created (0700) if missing
   * @param mayCreate false: rejects with `StorageUnavailable` if the folder is missing or has none of
   *   our files. A staging area in the place of an unmounted volume would hide that it is away.
   * @param readMs limit of one read; a stream that was opened has none
   */
  static async open(
    folder: string,
    { mayCreate = true, readMs = fileReadMs } = {},
  ): Promise<FileStorage> {
    const holds = () => readingFiles(`the folder ${folder}`, () => holdsFiles(folder), readMs);
    return await reachingFiles(`the folder ${folder}`, async () => {
      if (mayCreate) await makeFolder(folder);
      else if (!(await holds())) await checkMounted(folder);
      return new FileStorage(
        folder,
        await StagingArea.open(join(folder, stagingName), { durable: true }),
        readMs,
      );
    });
  }

  /** Opens a folder to read it. Creates nothing: a missing folder is unavailable. */
  static async toRead(folder: string): Promise<FileStorage> {
    return await reachingFiles(`the folder ${folder}`, async () => {
      const storage = new FileStorage(folder, StagingArea.toRead(join(folder, stagingName)));
      await checkMounted(folder);
      return storage;
    });
  }

  stage(source: Readable, encryption: () => Promise<FileEncryption>): Promise<StagedBlob> {
    return this.#staging.stage(source, encryption);
  }

  async put(key: BlobKey, staged: StagedBlob): Promise<void> {
    const file = this.#fileOf(key, 'encrypted');
    try {
      await reachingFiles(`writing blob ${key}`, async () => {
        const folder = await this.#folderOf(organisationOfBlob(key));
        // The staged file is on stable storage; this makes its new name durable too.
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

  async open(key: BlobKey, form: BlobForm): Promise<StoredObject | null> {
    const file = this.#fileOf(key, form);
    const read = async () => {
      const handle = await open(file, 'r').catch(missing(null));
      if (handle === null) {
        await this.#checkThere();
        return null;
      }
      const bytes = handle.createReadStream({ highWaterMark: readAheadBytes });
      try {
        return { sizeBytes: (await handle.stat()).size, bytes };
      } catch (trouble) {
        bytes.destroy();
        throw trouble;
      }
    };
    const close = (late: StoredObject | null) => late?.bytes.destroy();
    return await readingFiles(`reading blob ${key}`, read, this.#readMs, close);
  }

  async delete(key: BlobKey, form: BlobForm): Promise<void> {
    const file = this.#fileOf(key, form);
    await reachingFiles(`deleting blob ${key}`, async () => {
      await this.#checkThere();
      await rm(file, { force: true });
      await syncFolder(join(this.#folder, organisationOfBlob(key))).catch(missing(undefined));
    });
  }

  async deleteAll(organisationId: OrganisationId): Promise<void> {
    if (!isUlid(organisationId)) throw new TypeError('an organisation id must be a ULID');
    this.#ready.delete(organisationId);
    await reachingFiles(`deleting the blobs of ${organisationId}`, async () => {
      await this.#checkThere();
      await rm(join(this.#folder, organisationId), { recursive: true, force: true });
      await syncFolder(this.#folder);
    });
  }

  async *list(): AsyncIterable<ListedObject> {
    try {
      await this.#checkThere();
      for (const organisationId of (await readdir(this.#folder)).filter(isUlid)) {
        const folder = join(this.#folder, organisationId);
        for await (const { name } of (await opendir(folder).catch(missing(null))) ?? []) {
          const blob = parseBlobName(`${organisationId}/${name}`);
          if (blob === null) continue;
          const found = await stat(join(folder, name)).catch(missing(null));
          if (found?.isFile()) yield { ...blob, storedAt: found.mtime };
        }
      }
    } catch (trouble) {
      throw wrapStorageError(trouble, 'the file storage failed: listing blobs');
    }
  }

  async sweepStaged(before: Date): Promise<number> {
    return await reachingFiles('sweeping staged files', () => this.#staging.sweep(before));
  }

  async sweepHalfSent(): Promise<number> {
    // A blob is renamed into place as a whole.
    return 0;
  }

  async readLogMark(): Promise<LogMark | null> {
    const read = async () => {
      const found = await readFile(this.#markFile(), 'utf8').catch(missing(null));
      // An unavailable storage is no proof that the mark is missing.
      if (found === null) await this.#checkThere();
      return found;
    };
    const text = await readingFiles('reading the mark of the log', read, this.#readMs);
    return text === null ? null : parseLogMark(text);
  }

  async writeLogMark(mark: LogMark): Promise<void> {
    const staged = await this.#staging.stageText(formatLogMark(mark));
    try {
      await reachingFiles('writing the mark of the log', async () => {
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
    const staged = await this.#staging.stageText(note);
    try {
      await reachingFiles(`noting the erasure of ${name}`, async () => {
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
    const read = async () => {
      await this.#checkThere();
      return erasedOf(await readdir(join(this.#folder, erasuresName)).catch(missing([])));
    };
    return await readingFiles('reading which organisations were erased', read, this.#readMs);
  }

  async close(): Promise<void> {
    // Nothing is kept open.
  }

  #checkThere(): Promise<void> {
    return checkMounted(this.#folder);
  }

  #markFile(): string {
    return join(this.#folder, logMarkName);
  }

  #fileOf(key: BlobKey, form: BlobForm): string {
    return join(this.#folder, blobName(checkBlobKey(key), form));
  }

  /** Makes the organisation's folder once, durably. */
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

/** Makes a folder (0700) and its parents, so that all of them survive a power failure. */
async function makeFolder(folder: string): Promise<void> {
  const highest = await mkdir(folder, { recursive: true, mode: 0o700 });
  if (highest === undefined) return;
  for (let made = folder; made.length >= highest.length; made = dirname(made)) {
    await syncFolder(dirname(made));
  }
}
