import { test } from 'tap';
import { renderCertificate } from '../../../src/certificates/pdf/render-certificate.ts';
import {
  certificateBundle,
  certificateContent,
  fullestContent,
} from '../../support/certificate-content.ts';
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

test('declares PDF/UA-1 with the description of its schema that PDF/A demands', async (t) => {
  const document = await read();
  const root = document.resolve(document.trailer['/Root']).dict;
  const xmp = document.resolve(root['/Metadata']).data?.toString() ?? '';
  t.match(xmp, '<pdfuaid:part>1</pdfuaid:part>');
  t.match(
    xmp,
    '<pdfaSchema:namespaceURI>http://www.aiim.org/pdfua/ns/id/</pdfaSchema:namespaceURI>',
  );
  t.equal(document.resolve(root['/ViewerPreferences']).dict['/DisplayDocTitle'], true);
});

test('every annotation has a text and belongs to a link or form of the structure', async (t) => {
  const pdf = await renderCertificate(certificateContent(), certificateBundle, 2_000);
  const document = await readWithQpdf(pdf);
  const dicts = Object.values(document.objects).map(({ dict }) => dict);
  const annotations = dicts.filter((dict) => dict['/Type'] === '/Annot');
  t.equal(annotations.length, 7);
  const elements = dicts.filter((dict) => Array.isArray(dict['/K']) && '/P' in dict);
  const owners = elements.flatMap((element) =>
    (element['/K'] as unknown[])
      .filter((kid) => typeof kid === 'object' && kid !== null && '/Obj' in kid)
      .map((kid) => [element['/S'], document.resolve((kid as Dict)['/Obj']).dict] as const),
  );
  for (const annotation of annotations) {
    t.match(annotation['/Contents'], /^u:./);
    t.type(annotation['/StructParent'], 'number');
    const [owner] = owners.find(([, dict]) => dict === annotation) ?? [];
    t.equal(owner, annotation['/Subtype'] === '/Widget' ? '/Form' : '/Link');
  }
  for (const page of dicts.filter((dict) => dict['/Type'] === '/Page')) {
    t.equal(page['/Tabs'], '/S');
  }
});

test('headings never skip a level, and rows of a table have a header and a value', async (t) => {
  const document = await readWithQpdf(await renderCertificate(fullestContent, certificateBundle));
  const root = document.resolve(document.trailer['/Root']).dict;
  const names: string[] = [];
  const walk = (reference: unknown): string[] => {
    const { dict } = document.resolve(reference);
    const name = String(dict['/S'] ?? 'root');
    names.push(name);
    const kids = [dict['/K']].flat().filter((kid) => typeof kid === 'string');
    const inside = kids.flatMap((kid) => walk(kid).slice(0, 1));
    if (name === '/TR') t.strictSame(inside, ['/TH', '/TD']);
    if (name === '/LI') t.strictSame(inside, ['/Lbl', '/LBody']);
    return [name, ...inside];
  };
  walk(root['/StructTreeRoot']);
  const levels = names.filter((name) => /^\/H\d$/.test(name)).map((name) => Number(name[2]));
  t.equal(levels[0], 1);
  levels.forEach((level, index) => {
    t.ok(level <= (levels[index - 1] ?? 0) + 1, levels.join());
  });
  t.ok(names.includes('/TR') && names.includes('/LI'));
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
  t.equal(annotations.length, 6);
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

test('all that is drawn belongs to one tagged element, or is marked as decoration', async (t) => {
  const content = { ...fullestContent, fileName };
  const document = await readWithQpdf(await renderCertificate(content, certificateBundle, 2_000));
  const root = document.resolve(document.trailer['/Root']).dict;
  /** Marked content that the structure names, by page. */
  const named = new Map<Dict, number[]>();
  const walk = (reference: unknown, onPage: unknown): void => {
    const { dict } = document.resolve(reference);
    const page = dict['/Pg'] ?? onPage;
    const kids = [dict['/K']].flat();
    t.ok(dict['/S'] === undefined || kids.length > 0, `${dict['/S']} has content`);
    if (dict['/S'] === '/Figure') t.match(dict['/Alt'], /^u:QR code of https:/);
    for (const kid of kids) {
      if (typeof kid === 'string') walk(kid, page);
      if (typeof kid === 'object' && kid !== null && '/Obj' in kid) continue;
      const marked = typeof kid === 'object' && kid !== null ? (kid as Dict) : { '/MCID': kid };
      if (typeof marked['/MCID'] !== 'number') continue;
      const on = document.resolve(marked['/Pg'] ?? page).dict;
      named.set(on, [...(named.get(on) ?? []), marked['/MCID']]);
    }
  };
  walk(root['/StructTreeRoot'], null);
  const pages = Object.values(document.objects).filter(({ dict }) => dict['/Type'] === '/Page');
  t.equal(pages.length, 3);
  for (const { dict } of pages) {
    const drawn = document.resolve(dict['/Contents']).data?.toString('latin1') ?? '';
    const open: string[] = [];
    const marked: number[] = [];
    for (const [operation, type, id] of drawn.matchAll(
      /^\/(\w+) <<(?:[^>]*\/MCID (\d+))?[^>]*>> BDC$|(?<=^| )(?:BMC|BDC|EMC|TJ|Tj|Do|sh|f|F|S|s|B|b)\*?$/gm,
    )) {
      if (type !== undefined) {
        t.equal(open.length, 0, 'no mark is inside another');
        t.equal(id === undefined, type === 'Artifact');
        open.push(type);
        if (id !== undefined) marked.push(Number(id));
      } else if (operation === 'EMC') open.pop();
      else if (open.length === 0) t.fail(`${operation} is drawn without a mark`);
    }
    t.strictSame(open, []);
    t.ok(marked.length > 20, `${marked.length} marks`);
    const ascending = (a: number, b: number) => a - b;
    t.strictSame(named.get(dict)?.toSorted(ascending), marked.toSorted(ascending));
  }
});
