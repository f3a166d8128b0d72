import { timingSafeEqual } from 'node:crypto';
import { FileDamaged } from './file-damaged.ts';
import { commitmentOf, type DataKey, deriveFileKeys, type FileIdentity } from './file-keys.ts';
import { commitmentBytes, headerBytes, keyIdBytes, magic, saltBytes, version } from './format.ts';
import { SegmentDecryption } from './segment-decryption.ts';

/**
 * Decrypts one file as its bytes arrive, in constant memory. Returns no byte of another file, of
 * another organisation, or of a damaged segment.
 */
export class FileDecryption {
  readonly #dataKey: DataKey;
  readonly #identity: FileIdentity;
  #header = Buffer.alloc(0);
  #segments: SegmentDecryption | null = null;

  constructor(dataKey: DataKey, identity: FileIdentity) {
    this.#dataKey = dataKey;
    this.#identity = identity;
  }

  /** Returns the plain bytes of the segments that are complete. Throws `FileDamaged`. */
  push(chunk: Uint8Array): Buffer[] {
    if (this.#segments !== null) return this.#segments.push(chunk);
    const missing = headerBytes - this.#header.length;
    this.#header = Buffer.concat([this.#header, chunk.subarray(0, missing)]);
    if (this.#header.length < headerBytes) return [];
    this.#segments = this.#open(this.#header);
    return this.#segments.push(chunk.subarray(missing));
  }

  /** Throws `FileDamaged` if the file is cut. */
  end(): void {
    if (this.#segments === null) throw new FileDamaged('it is cut');
    this.#segments.end();
  }

  #open(header: Buffer): SegmentDecryption {
    const { organisationId, sizeBytes } = this.#identity;
    const found = splitHeader(header);
    if (!found.magic.equals(magic)) throw new FileDamaged('it is no encrypted file');
    if (found.version !== version) {
      const advice = 'a newer release may have written it';
      throw new FileDamaged(`it has the unknown version ${found.version}: ${advice}`);
    }
    if (found.keyId !== this.#dataKey.dataKeyId) {
      throw new FileDamaged('it is encrypted under another data key');
    }
    const keys = deriveFileKeys(this.#dataKey, organisationId, found.salt);
    const expected = commitmentOf(keys, found.begin, this.#identity);
    if (!timingSafeEqual(expected, found.commitment)) {
      throw new FileDamaged('its header is altered, or is that of another file');
    }
    return new SegmentDecryption(keys.content, sizeBytes);
  }
}

function splitHeader(header: Buffer) {
  const keyIdAt = magic.length + 1;
  const saltAt = keyIdAt + keyIdBytes;
  const commitmentAt = saltAt + saltBytes;
  return {
    magic: header.subarray(0, magic.length),
    version: header.readUInt8(magic.length),
    keyId: header.toString('latin1', keyIdAt, saltAt),
    salt: header.subarray(saltAt, commitmentAt),
    commitment: header.subarray(commitmentAt, commitmentAt + commitmentBytes),
    begin: header.subarray(0, commitmentAt),
  };
}
