/**
 * Form of an encrypted file, version 1. Integers are big-endian.
 *
 * | bytes | content |
 * |---|---|
 * | 7 | `PMKFILE` in ASCII |
 * | 1 | version: 1 |
 * | 26 | id of the organisation's data key, in ASCII |
 * | 32 | salt, random for each file |
 * | 32 | commitment to the header before it, the organisation, and size and SHA-256 of the plain file |
 * | rest | segments: 65,536 bytes (the last one fewer), each followed by its tag of 16 bytes |
 *
 * The segments are the STREAM construction over AES-256-GCM: the nonce of each has a prefix of the
 * file, the number of the segment, and a flag on the last one. So a segment that is altered, moved,
 * doubled or missing is detected before its bytes are used (Hoang, Reyhanitabar, Rogaway, Vizár:
 * "Online Authenticated-Encryption and its Nonce-Reuse Misuse-Resistance", CRYPTO 2015).
 * Only the segment of an empty file is empty.
 */
export const magic = Buffer.from('PMKFILE', 'ascii');
export const version = 1;
export const keyIdBytes = 26;
export const saltBytes = 32;
export const commitmentBytes = 32;
export const headerBytes = magic.length + 1 + keyIdBytes + saltBytes + commitmentBytes;

export const segmentBytes = 65_536;
export const tagBytes = 16;

/** Size of a file of this many bytes when it is encrypted. */
export function encryptedSize(sizeBytes: number): number {
  return headerBytes + sizeBytes + segmentCount(sizeBytes) * tagBytes;
}

/** Number of segments of a file of this many bytes. */
export function segmentCount(sizeBytes: number): number {
  return Math.max(1, Math.ceil(sizeBytes / segmentBytes));
}
