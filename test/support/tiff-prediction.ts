const columns = 4_096;

/** Entries of a stream that is packed, and predicted as TIFF images are, with samples of so many bits. */
export function differencing(bits = 8): string {
  return `/Filter /FlateDecode /DecodeParms ${parametersOf(bits)}`;
}

export function parametersOf(bits: number): string {
  const samples = bits === 8 ? '' : `/BitsPerComponent ${bits}`;
  return `<< /Predictor 2 /Columns ${(columns * 8) / bits} ${samples} >>`;
}

/** Rows of samples, each but the first as the difference to the one before (ISO 32000-1, 7.4.4.4). */
export function differenced(bytes: Buffer, bits: 4 | 8 = 8): Buffer {
  const most = 2 ** bits - 1;
  const samples = [...bytes].flatMap((byte) => (bits === 8 ? [byte] : [byte >> 4, byte & most]));
  const perRow = (columns * 8) / bits;
  const found = samples.map((sample, at) =>
    at % perRow === 0 ? sample : (sample - (samples[at - 1] ?? 0)) & most,
  );
  if (bits === 8) return Buffer.from(found);
  return Buffer.from(bytes.map((_, at) => ((found[2 * at] ?? 0) << 4) | (found[2 * at + 1] ?? 0)));
}
