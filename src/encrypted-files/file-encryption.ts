import { randomBytes } from 'node:crypto';
import type { OrganisationId } from '../domain/ulid.ts';
import {
  type ContentKey,
  commitmentOf,
  type DataKey,
  deriveFileKeys,
  type FileIdentity,
  type FileKeys,
} from './file-keys.ts';
import { keyIdBytes, magic, saltBytes, segmentBytes, version } from './format.ts';
import { encryptSegment } from './segments.ts';

/**
 * Encrypts one file as its bytes arrive, in constant memory. The segments follow the header, which
 * can be made only at the end: it commits to the hash of the whole file.
 */
export class FileEncryption {
  readonly #keys: FileKeys;
  readonly #headerBegin: Buffer;
  readonly #organisationId: OrganisationId;
  /** Bytes that are not encrypted yet: the last segment differs from the others. */
  readonly #held = Buffer.allocUnsafe(segmentBytes);
  #heldBytes = 0;
  #index = 0;

  constructor(dataKey: DataKey, organisationId: OrganisationId) {
    const keyId = Buffer.from(dataKey.dataKeyId, 'ascii');
    if (keyId.length !== keyIdBytes) throw new TypeError('the id of a data key must be a ULID');
    const salt = randomBytes(saltBytes);
    this.#keys = deriveFileKeys(dataKey, organisationId, salt);
    this.#headerBegin = Buffer.concat([magic, Buffer.of(version), keyId, salt]);
    this.#organisationId = organisationId;
  }

  /** Decrypts the segments that this encryption makes. */
  get contentKey(): ContentKey {
    return this.#keys.content;
  }

  /** Returns the segments that these bytes complete. */
  push(chunk: Uint8Array): Buffer[] {
    const ready: Buffer[] = [];
    for (let at = 0; at < chunk.length; ) {
      if (this.#heldBytes === segmentBytes) ready.push(...this.#encryptHeld(false));
      const taken = chunk.subarray(at, at + segmentBytes - this.#heldBytes);
      this.#held.set(taken, this.#heldBytes);
      this.#heldBytes += taken.length;
      at += taken.length;
    }
    return ready;
  }

  /** Returns the last segment. Nothing may be pushed afterwards. */
  end(): Buffer[] {
    return this.#encryptHeld(true);
  }

  /** The header of the file, whose size and SHA-256 are those of all bytes pushed. */
  header(plain: Omit<FileIdentity, 'organisationId'>): Buffer {
    const identity = { ...plain, organisationId: this.#organisationId };
    const begin = this.#headerBegin;
    return Buffer.concat([begin, commitmentOf(this.#keys, begin, identity)]);
  }

  #encryptHeld(isLast: boolean): Buffer[] {
    const place = { index: this.#index, isLast };
    const segment = encryptSegment(
      this.#keys.content,
      place,
      this.#held.subarray(0, this.#heldBytes),
    );
    this.#index += 1;
    this.#heldBytes = 0;
    return segment;
  }
}
