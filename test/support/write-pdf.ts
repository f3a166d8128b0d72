/** Deliberate faults of a PDF. */
export interface PdfFaults {
  /** Replaces the cross-reference table. */
  readonly table?: string;
  /** Names the cross-reference section itself as its previous one: a loop. */
  readonly previous?: 'self';
  /** Declares an object to be inside an object stream, in a cross-reference stream. */
  readonly packed?: { readonly number: number; readonly inStream: number };
  readonly objects?: readonly (string | Buffer)[];
}

/** Writes a PDF with these objects, numbered from 1. The first is the catalogue. */
export function writePdf(given: readonly (string | Buffer)[], faults: PdfFaults = {}): Buffer {
  const objects = [...given, ...(faults.objects ?? [])];
  const parts: Buffer[] = [Buffer.from('%PDF-1.7\n')];
  let at = parts[0]?.length ?? 0;
  const add = (bytes: Buffer) => {
    parts.push(bytes);
    at += bytes.length;
  };
  const places = objects.map((object, index) => {
    const start = at;
    add(Buffer.from(`${index + 1} 0 obj\n`));
    add(Buffer.from(object));
    add(Buffer.from('\nendobj\n'));
    return start;
  });
  const start = at;
  if (faults.packed) add(crossReferenceStream(places, start, faults.packed));
  else add(Buffer.from(faults.table ?? table(places)));
  const previous = faults.previous === 'self' ? `/Prev ${start}` : '';
  if (!faults.packed) add(Buffer.from(`trailer\n<< /Root 1 0 R ${previous} >>\n`));
  add(Buffer.from(`startxref\n${start}\n%%EOF\n`));
  return Buffer.concat(parts);
}

function table(places: readonly number[]): string {
  const rows = places.map((place) => `${String(place).padStart(10, '0')} 00000 n \n`);
  return `xref\n0 ${places.length + 1}\n0000000000 65535 f \n${rows.join('')}`;
}

function crossReferenceStream(
  places: readonly number[],
  start: number,
  packed: NonNullable<PdfFaults['packed']>,
): Buffer {
  const own = places.length + 1;
  const row = (kind: number, place: number) => {
    const bytes = Buffer.alloc(5);
    bytes.writeUInt8(kind, 0);
    bytes.writeUInt32BE(place, 1);
    return bytes;
  };
  const rows = [...places, start].map((place) => row(1, place));
  const content = Buffer.concat([...rows, row(2, packed.inStream)]);
  const index = `/Index [1 ${own} ${packed.number} 1]`;
  const head = `${own} 0 obj\n<< /Type /XRef /W [1 4 0] ${index} /Root 1 0 R /Length ${content.length} >>\nstream\n`;
  return Buffer.concat([Buffer.from(head), content, Buffer.from('\nendstream\nendobj\n')]);
}
