/** Bytes that a `DecompressionStream` takes. */
export type Bytes = Uint8Array<ArrayBuffer>;

/**
 * Unpacked data of unknown origin. Engines differ in how much of damaged data they give: `content` of
 * data that is not whole may explain a refusal, and never decides whether something is accepted.
 */
export interface Part {
  /** Null if there is more than was asked for. */
  readonly content: Bytes | null;
  /** False if the data is damaged, cut off or followed by something else. */
  readonly isWhole: boolean;
}

/** Unpacks zlib data (RFC 1950), at most `maxBytes` of it. */
export async function inflate(packed: Bytes, maxBytes: number): Promise<Part> {
  const { readable, writable } = new DecompressionStream('deflate');
  const unpacking = collect(readable.getReader(), maxBytes);
  const writer = writable.getWriter();
  const isWritten = await writer.write(packed).then(...toBoolean);
  const isWhole = isWritten && (await writer.close().then(...toBoolean));
  const content = await unpacking;
  return { content, isWhole: isWhole || content === null };
}

const toBoolean = [() => true, () => false] as const;

/** Everything until the end or a failure; null as soon as it is too much. */
async function collect(
  reader: ReadableStreamDefaultReader<Bytes>,
  maxBytes: number,
): Promise<Bytes | null> {
  const chunks: Bytes[] = [];
  let length = 0;
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      chunks.push(next.value);
      length += next.value.length;
      if (length > maxBytes) {
        await reader.cancel();
        return null;
      }
    }
  } catch {
    // Damaged, cut off, or followed by something else: the writer learns of it.
  }
  return joined(chunks, length);
}

function joined(chunks: readonly Bytes[], length: number): Bytes {
  const all = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    all.set(chunk, at);
    at += chunk.length;
  }
  return all;
}
