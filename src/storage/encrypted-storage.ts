import type { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { type BlobKey, organisationOfBlob } from '../domain/blob/blob-key.ts';
import { BlobLost } from '../domain/blob/blob-lost.ts';
import { OrganisationShut } from '../domain/organisation/organisation-shut.ts';
import type { OrganisationId } from '../domain/ulid.ts';
import { FileDecryption } from '../encrypted-files/file-decryption.ts';
import { FileEncryption } from '../encrypted-files/file-encryption.ts';
import type { DataKey } from '../encrypted-files/file-keys.ts';
import { encryptedSize } from '../encrypted-files/format.ts';
import { Unavailable } from '../errors/unavailable.ts';
import { BlobCorrupt } from './blob-corrupt.ts';
import type { BlobForm } from './blob-form.ts';
import { BlobMissing } from './blob-missing.ts';
import type { BlobFacts, BlobStorage, ListedBlob, StagedBlob } from './contract.ts';
import type { LogMark } from './log-mark.ts';
import type { ObjectStorage, StoredObject } from './object-storage.ts';
import { verifiedStream } from './verified-stream.ts';

/** Data keys of the organisations; null if they were never made or have been destroyed. */
export interface DataKeys {
  find(organisationId: string): Promise<DataKey | null>;
}

const retryMs = 500;

/** Blobs in a folder or bucket, encrypted under the data keys of their organisations. */
export class EncryptedStorage implements BlobStorage {
  readonly #objects: ObjectStorage;
  readonly #dataKeys: DataKeys;
  readonly #recheckMs: number;
  readonly #patienceMs: number;

  /**
   * @param recheckMs time after which a stream looks again whether its key was destroyed
   * @param patienceMs maximum time for which a stream repeats a look that fails with `Unavailable`
   */
  constructor(objects: ObjectStorage, dataKeys: DataKeys, recheckMs = 5_000, patienceMs = 30_000) {
    this.#objects = objects;
    this.#dataKeys = dataKeys;
    this.#recheckMs = recheckMs;
    this.#patienceMs = patienceMs;
  }

  stage(organisationId: OrganisationId, source: Readable): Promise<StagedBlob> {
    return this.#objects.stage(source, async () => {
      const dataKey = await this.#dataKeys.find(organisationId);
      if (dataKey === null) throw new OrganisationShut(organisationId);
      return new FileEncryption(dataKey, organisationId);
    });
  }

  put(key: BlobKey, staged: StagedBlob): Promise<void> {
    return this.#objects.put(key, staged);
  }

  async open(key: BlobKey, expected: BlobFacts): Promise<Readable> {
    const { form, object } = await this.#find(key);
    const wantedBytes = form === 'plain' ? expected.sizeBytes : encryptedSize(expected.sizeBytes);
    try {
      const { sizeBytes = wantedBytes } = object;
      if (sizeBytes !== wantedBytes) {
        throw new BlobCorrupt(key, `it has ${sizeBytes} bytes, not ${wantedBytes}`);
      }
      if (form === 'plain') return verifiedStream(key, object.bytes, expected, null);
      const decryption = await this.#decryption(key, expected);
      return verifiedStream(key, object.bytes, expected, decryption, this.#permit(key));
    } catch (error) {
      object.bytes.destroy();
      throw error;
    }
  }

  async delete(key: BlobKey): Promise<void> {
    await this.#objects.delete(key, 'plain');
    await this.#objects.delete(key, 'encrypted');
  }

  deleteAll(organisationId: OrganisationId): Promise<void> {
    return this.#objects.deleteAll(organisationId);
  }

  list(): AsyncIterable<ListedBlob> {
    return this.#objects.list();
  }

  sweepStaged(before: Date): Promise<number> {
    return this.#objects.sweepStaged(before);
  }

  sweepHalfSent(before: Date): Promise<number> {
    return this.#objects.sweepHalfSent(before);
  }

  readLogMark(): Promise<LogMark | null> {
    return this.#objects.readLogMark();
  }

  writeLogMark(mark: LogMark): Promise<void> {
    return this.#objects.writeLogMark(mark);
  }

  noteErasure(organisationId: OrganisationId): Promise<void> {
    return this.#objects.noteErasure(organisationId);
  }

  erasures(): Promise<ReadonlySet<OrganisationId>> {
    return this.#objects.erasures();
  }

  close(): Promise<void> {
    return this.#objects.close();
  }

  /** Looks again for the encrypted form: the plain one may have been replaced in between. */
  async #find(key: BlobKey): Promise<{ readonly form: BlobForm; readonly object: StoredObject }> {
    for (const form of ['encrypted', 'plain', 'encrypted'] as const) {
      const object = await this.#objects.open(key, form);
      if (object !== null) return { form, object };
    }
    throw new BlobMissing(key);
  }

  async #decryption(key: BlobKey, expected: BlobFacts): Promise<FileDecryption> {
    const organisationId = organisationOfBlob(key);
    return new FileDecryption(await this.#keyOf(key), { ...expected, organisationId });
  }

  async #keyOf(key: BlobKey): Promise<DataKey> {
    const dataKey = await this.#dataKeys.find(organisationOfBlob(key));
    if (dataKey === null) throw new BlobUndecipherable(key);
    return dataKey;
  }

  /**
   * Rejects if the key was destroyed while the blob is read; looks once in `recheckMs`. No key is
   * used without an answer, so a stream pauses while the database is away.
   */
  #permit(key: BlobKey): () => Promise<void> | null {
    let lookedAt = performance.now();
    return () => {
      const now = performance.now();
      if (now - lookedAt < this.#recheckMs) return null;
      lookedAt = now;
      return this.#look(key, now + this.#patienceMs);
    };
  }

  async #look(key: BlobKey, until: number): Promise<void> {
    for (;;) {
      try {
        await this.#keyOf(key);
        return;
      } catch (error) {
        if (!(error instanceof Unavailable) || performance.now() + retryMs > until) throw error;
      }
      await delay(retryMs);
    }
  }
}

/** The keys of the blob's organisation are destroyed. */
class BlobUndecipherable extends BlobLost {
  constructor(key: BlobKey) {
    super(`blob ${key} cannot be decrypted: the keys of its organisation are destroyed`);
    this.name = 'BlobUndecipherable';
  }
}
