import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import type { Digest } from '../../src/domain/proof/digest.ts';
import { FileEncryption } from '../../src/encrypted-files/file-encryption.ts';
import type { DataKey } from '../../src/encrypted-files/file-keys.ts';
import type { EncryptedFile } from '../../src/encrypted-files/segment-reader.ts';
import { newOrganisationId } from './blobs.ts';

/** Encrypts bytes as a whole. */
export function encryptBytes(
  bytes: Uint8Array,
  dataKey: DataKey,
  organisationId = newOrganisationId(),
): { readonly stored: Buffer; readonly contentKey: EncryptedFile['contentKey'] } {
  const encryption = new FileEncryption(dataKey, organisationId);
  const segments = [...encryption.push(bytes), ...encryption.end()];
  const sha256 = createHash('sha256').update(bytes).digest('hex') as Digest;
  const header = encryption.header({ sizeBytes: bytes.length, sha256 });
  return { stored: Buffer.concat([header, ...segments]), contentKey: encryption.contentKey };
}

/** Writes bytes to an encrypted file, as an upload is staged. */
export async function writeEncrypted(
  path: string,
  content: Uint8Array | string,
): Promise<EncryptedFile> {
  const bytes = Buffer.from(content);
  const dataKey = { dataKeyId: '0'.repeat(26), dataKey: Buffer.alloc(32, 7) };
  const { stored, contentKey } = encryptBytes(bytes, dataKey);
  await writeFile(path, stored);
  return { path, sizeBytes: bytes.length, contentKey };
}
