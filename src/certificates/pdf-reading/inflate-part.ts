import { constants, inflateSync } from 'node:zlib';

/** Data, as far as it can be read. */
export interface Part {
  /** Null if there is more than was asked for, or if the data is damaged or followed by something else. */
  readonly content: Buffer | null;
  /** False if the data is damaged, followed by something else or cut off; the part before the cut is `content`. */
  readonly isWhole: boolean;
}

/** Unpacks zlib data of unknown origin, at most `maxBytes` of it. */
export function inflatePart(packed: Buffer, maxBytes: number): Part {
  try {
    const { content, packedBytes } = inflate(packed, maxBytes);
    const isWhole = packedBytes === packed.length;
    return { content: isWhole ? content : null, isWhole };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ERR_BUFFER_TOO_LARGE') return { content: null, isWhole: true };
    return {
      content: code === 'Z_BUF_ERROR' ? inflateCutOff(packed, maxBytes) : null,
      isWhole: false,
    };
  }
}

function inflateCutOff(packed: Buffer, maxBytes: number): Buffer | null {
  try {
    return inflate(packed, maxBytes, constants.Z_SYNC_FLUSH).content;
  } catch {
    return null; // too large
  }
}

function inflate(packed: Buffer, maxOutputLength: number, finishFlush = constants.Z_FINISH) {
  const options = { maxOutputLength, finishFlush, info: true };
  // With `info` it is this object, which the types do not say.
  const { buffer, engine } = inflateSync(packed, options) as unknown as {
    readonly buffer: Buffer;
    readonly engine: { readonly bytesWritten: number };
  };
  return { content: buffer, packedBytes: engine.bytesWritten };
}
