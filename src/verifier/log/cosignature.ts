/** A cosignature (C2SP tlog-cosignature, version 1) as it was read. Nothing in it is verified. */
interface ReadCosignature {
  /** Time that the witness states, in seconds since 1970. */
  readonly seconds: number;
  /** 64 bytes. */
  readonly signature: Uint8Array;
}

export const timeBytes = 8;
const signatureBytes = 64;

/** Reads time and signature; null if the cosignature is malformed. */
export function readCosignature(bytes: Uint8Array): ReadCosignature | null {
  if (bytes.length !== timeBytes + signatureBytes) return null;
  const seconds = new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(0);
  if (seconds === 0n || seconds > BigInt(Number.MAX_SAFE_INTEGER)) return null;
  return { seconds: Number(seconds), signature: bytes.subarray(timeBytes) };
}

const latest = Date.UTC(9999, 11, 31) / 1_000;

/** The time that a witness states, ISO 8601; a later one than the year 9999 is shown as its end. */
export function cosignedAt(seconds: number): string {
  return new Date(1_000 * Math.min(seconds, latest)).toISOString();
}

/** The text that a witness signs for the text of a checkpoint. */
export function cosignedText(text: string, seconds: number): string {
  return `cosignature/v1\ntime ${seconds}\n${text}`;
}
