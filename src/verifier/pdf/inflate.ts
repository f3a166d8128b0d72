/** Bytes that a `DecompressionStream` accepts. */
export type Bytes = Uint8Array<ArrayBuffer>;

/**
 * Decompressed untrusted data. JavaScript engines return different amounts of damaged data. Use
 * incomplete `content` only to explain a refusal, never to accept anything.
 */
export interface Part {
  /** Null if the content exceeds the requested limit. */
  readonly content: Bytes | null;
  /** False if the data is damaged, truncated or followed by other data. */
  readonly isWhole: boolean;
}

/** Decompresses zlib data (RFC 1950) to at most `maxBytes`. */
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

/** Reads until the end or a failure; returns null as soon as `maxBytes` are exceeded. */
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
    // Damaged, truncated, or followed by other data: the writer rejects too.
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
