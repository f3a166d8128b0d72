import { test } from 'tap';
import { renderCertificate } from '../../../src/certificates/pdf/render-certificate.ts';
import { certificateBundle, certificateContent } from '../../support/certificate-content.ts';
import {
  checkWithQpdf,
  type QpdfDocument,
  type QpdfObject,
  readWithQpdf,
} from '../../support/qpdf.ts';

/** A name that needs several fonts and composed glyphs. */
const fileName = 'عربي שָׁלוֹם 中文 हिन्दी 👍🏽.pdf';

async function read(): Promise<QpdfDocument> {
  return readWithQpdf(await renderCertificate(certificateContent({ fileName }), certificateBundle));
}

type Dict = Readonly<Record<string, unknown>>;

function fontsOf({ objects }: QpdfDocument): QpdfObject[] {
  return Object.values(objects).filter(({ dict }) => dict['/Type'] === '/Font');
}

test('qpdf --check finds no fault in a certificate, but finds one in a damaged file', async (t) => {
  const pdf = await renderCertificate(certificateContent({ fileName }), certificateBundle);
  t.equal(await checkWithQpdf(pdf), 0);
  const damaged = Buffer.from(pdf);
  damaged.fill(0, pdf.length - 2_000, pdf.length - 1_900);
  t.not(await checkWithQpdf(damaged), 0);
});

test('declares PDF/A-3b in uncompressed metadata', async (t) => {
  const document = await read();
  const root = document.resolve(document.trailer['/Root']).dict;
  const metadata = document.resolve(root['/Metadata']);
  t.notOk('/Filter' in metadata.dict);
  const xmp = metadata.data?.toString() ?? '';
  t.match(xmp, '<pdfaid:part>3</pdfaid:part>');
  t.match(xmp, '<pdfaid:conformance>B</pdfaid:conformance>');
  t.match(xmp, '<xmp:CreateDate>2026-11-21T05:00:00Z</xmp:CreateDate>');
  t.equal(root['/Lang'], 'u:en');
  t.equal(document.resolve(root['/MarkInfo']).dict['/Marked'], true);
  t.ok(document.resolve(root['/StructTreeRoot']).dict['/K']);
});

test('colours follow the output intent', async (t) => {
  const document = await read();
  const root = document.resolve(document.trailer['/Root']).dict;
  const [intent] = root['/OutputIntents'] as unknown[];
  const { dict } = document.resolve(intent);
  t.equal(dict['/S'], '/GTS_PDFA1');
  const profile = document.resolve(dict['/DestOutputProfile']);
  t.equal(profile.dict['/N'], 3);
  t.equal(profile.data?.toString('latin1', 36, 40), 'acsp');
  t.equal(profile.data?.toString('latin1', 16, 20), 'RGB ');
});

test('the bundle is associated with the document', async (t) => {
  const document = await read();
  const root = document.resolve(document.trailer['/Root']).dict;
  const [file] = root['/AF'] as unknown[];
  const { dict } = document.resolve(file);
  t.equal(dict['/AFRelationship'], '/Data');
  t.equal(dict['/UF'], 'u:proof-bundle.json');
  const embedded = document.resolve((dict['/EF'] as Dict)['/F']);
  t.equal(embedded.dict['/Subtype'], '/application/json');
  t.ok(embedded.data?.equals(certificateBundle));
});

test('every font is embedded and maps its glyphs to text', async (t) => {
  const document = await read();
  const fonts = fontsOf(document).filter(({ dict }) => dict['/Subtype'] === '/Type0');
  t.ok(fonts.length >= 8, `${fonts.length} fonts`);
  for (const { dict } of fonts) {
    t.equal(dict['/Encoding'], '/Identity-H');
    const cmap = document.resolve(dict['/ToUnicode']).data?.toString() ?? '';
    t.notMatch(cmap, '<>', 'no glyph maps to an empty text');
    const [descendant] = dict['/DescendantFonts'] as unknown[];
    const cid = document.resolve(descendant).dict;
    t.equal(cid['/CIDToGIDMap'], '/Identity');
    const descriptor = document.resolve(cid['/FontDescriptor']).dict;
    const file = document.resolve(descriptor['/FontFile2']).data ?? Buffer.alloc(0);
    t.strictSame(differingWidths(file, (cid['/W'] as [0, number[]])[1]), []);
  }
});

/** Glyphs whose width in the dictionary differs from the font file. */
function differingWidths(file: Buffer, widths: readonly number[]): string[] {
  const table = (tag: string) => {
    for (let entry = 12; entry < 12 + 16 * file.readUInt16BE(4); entry += 16) {
      if (file.toString('latin1', entry, entry + 4) !== tag) continue;
      return file.subarray(file.readUInt32BE(entry + 8));
    }
    throw new Error(`no table ${tag}`);
  };
  const unitsPerEm = table('head').readUInt16BE(18);
  const metrics = table('hmtx');
  return widths.flatMap((width, index) => {
    const inFile = (metrics.readUInt16BE(4 * index) * 1_000) / unitsPerEm;
    return Math.abs(inFile - width) <= 1 ? [] : [`${index}: ${width}, in the file ${inFile}`];
  });
}

test('no text is drawn with the missing-glyph symbol', async (t) => {
  const { objects } = await read();
  const shown = Object.values(objects)
    .flatMap(({ data }) => data?.toString('latin1').match(/\[<[0-9a-f]+>.*\] TJ/g) ?? [])
    .flatMap((operation) => operation.match(/<[0-9a-f]+>/g) ?? [])
    .flatMap((codes) => codes.slice(1, -1).match(/.{4}/g) ?? []);
  t.ok(shown.length > 2_000, `${shown.length} glyphs`);
  t.notOk(shown.includes('0000'));
});

test('links are printable, and the PDF has no scripts and no encryption', async (t) => {
  const { objects, trailer } = await read();
  const dicts = Object.values(objects).map(({ dict }) => dict);
  const annotations = dicts.filter((dict) => dict['/Type'] === '/Annot');
  t.equal(annotations.length, 3);
  for (const annotation of annotations) t.equal(annotation['/F'], 4);
  t.notOk('/Encrypt' in trailer);
  t.equal((trailer['/ID'] as unknown[]).length, 2);
  for (const key of ['/JS', '/AA', '/OpenAction', '/Launch']) {
    t.notOk(
      dicts.some((dict) => typeof dict === 'object' && key in dict),
      key,
    );
  }
});
