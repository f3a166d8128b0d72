import { readdir, readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { type Test, test } from 'tap';
import { ByteVerifier } from '../../src/byte-verification/byte-verifier.ts';
import { newFolder, newOrganisationId } from '../support/blobs.ts';
import { drawCases } from '../support/draw-cases.ts';
import { writeEncrypted } from '../support/encrypted-file.ts';
import { type ZipEntry, zipOf } from '../support/zip-writer.ts';

const tenant = newOrganisationId();
const samples = join(import.meta.dirname, 'samples');
const verified = { status: 'verified' };
const mismatch = (expected: string, found: string | null) => ({
  status: 'mismatch',
  expected,
  found,
});

async function newVerifier(t: Test) {
  const verifier = new ByteVerifier();
  t.teardown(() => verifier.close());
  const path = join(await newFolder(t), 'staged');
  return {
    verifier,
    async verify(bytes: Buffer | string, fileName: string) {
      return await verifier.verify(await writeEncrypted(path, bytes), fileName, tenant);
    },
  };
}

/** The samples, encrypted as uploads are staged. */
async function sampleFiles(t: Test) {
  const names = (await readdir(samples)).filter((name) => name !== 'README.md');
  const folder = await newFolder(t);
  return await Promise.all(
    names.map(async (name) => ({
      name,
      file: await writeEncrypted(join(folder, name), await readFile(join(samples, name))),
      extension: extname(name).slice(1),
    })),
  );
}

/** Groups of extensions that share one format. An extension in no group is its own group. */
const kinds = [
  ['docx', 'docm', 'dotx', 'dotm'],
  ['xlsx', 'xlsm', 'xltx', 'xltm'],
  ['pptx', 'pptm', 'ppsx', 'potx'],
  ['doc', 'xls', 'ppt', 'pps', 'xlt', 'vsd', 'mpp', 'msi'],
  ['odt', 'ott'],
  ['ods', 'ots'],
  ['odp', 'otp'],
  ['png', 'apng'],
  ['jpg', 'jpeg', 'jpe', 'jfif'],
  ['tif', 'tiff', 'dng', 'nef'],
  ['heic', 'heif', 'hif', 'avif'],
  ['jp2', 'jpx'],
  ['mp3', 'mpga', 'mp2'],
  ['aiff', 'aif', 'aifc'],
  ['ogg', 'oga', 'ogv', 'opus', 'spx'],
  ['mp4', 'm4v', 'm4a', 'mov', '3gp', 'm4b'],
  ['mkv', 'webm', 'mka'],
  ['wma', 'wmv', 'asf'],
  ['gz', 'tgz', 'svgz'],
  ['bz2', 'tbz2'],
  ['xz', 'txz'],
  ['wav', 'wave'],
  ['exe', 'dll'],
];
const kindOf = (extension: string) => kinds.find((kind) => kind.includes(extension)) ?? [extension];

/** Extensions of formats that have a signature. */
const signed = [
  ...kinds.flat(),
  ...['pdf', 'rtf', 'epub', 'gif', 'webp', 'bmp', 'ico', 'psd', 'flac', 'avi', 'flv', 'zip'],
  ...['7z', 'rar', 'tar', 'cab', 'sqlite', 'wasm', 'class', 'pages', 'jar'],
];

test('real files are verified under their own names', async (t) => {
  const { verifier } = await newVerifier(t);
  const cases = (await sampleFiles(t)).flatMap(({ name, file, extension }) =>
    [...new Set([extension, extension.toUpperCase(), ...kindOf(extension)])].map((alias) => ({
      ...{ name, file, alias },
    })),
  );
  for (const { name, file, alias } of drawCases(t, cases, ({ name }) => name)) {
    const verdict = await verifier.verify(file, `my.file.${alias}`, tenant);
    t.strictSame(verdict, verified, `${name} as ${alias}`);
  }
});

test('reports a mismatch for a real file under the name of any other type with a signature', async (t) => {
  const { verifier } = await newVerifier(t);
  const zips = ['docx', 'dotx', 'xlsx', 'xlsm', 'pptx', 'odt', 'ott', 'ods', 'odp', 'epub', 'zip'];
  const isMismatch = (extension: string, other: string) => {
    if (kindOf(extension).includes(other)) return false;
    // A document that is a zip archive inside also passes as .zip.
    if (zips.includes(extension) && ['zip', 'jar'].includes(other)) return false;
    return !(extension === 'zip' && ['jar', 'pages'].includes(other));
  };
  const pairs = (await sampleFiles(t)).flatMap(({ name, file, extension }) =>
    signed.filter((other) => isMismatch(extension, other)).map((other) => ({ name, file, other })),
  );
  t.ok(pairs.length > 3_000);
  // Each file under some names, and each name for some files.
  const drawn = new Set([
    ...drawCases(t, pairs, ({ name }) => name, { oneOf: 40, oneOfInCi: 8 }),
    ...drawCases(t, pairs, ({ other }) => other, { oneOf: 40, oneOfInCi: 8 }),
  ]);
  for (const { name, file, other } of drawn) {
    const verdict = await verifier.verify(file, `renamed.${other}`, tenant);
    if (verdict.status !== 'mismatch') t.fail(`${name} passes as .${other}`);
    else t.equal(verdict.expected, other);
  }
});

test('text under the name of a format with a signature is a mismatch', async (t) => {
  const { verify } = await newVerifier(t);
  const texts = ['Extracted text of a document.\n', '\ufeffText after a mark', 'x', '', '\n\n\n'];
  const cases = signed.flatMap((extension) => texts.map((text) => ({ extension, text })));
  for (const { extension, text } of drawCases(t, cases, (one) => one.extension, { oneOf: 5 })) {
    t.strictSame(await verify(text, `a.${extension}`), mismatch(extension, null), extension);
  }
});

test('files of formats without a signature pass, whatever their content', async (t) => {
  const { verify } = await newVerifier(t);
  const svg = '<svg xmlns="http://www.w3.org/2000/svg"/>';
  const files: readonly (readonly [string, string])[] = [
    ['notes.txt', 'text'],
    ['README.md', '# title'],
    ['table.csv', 'a,b\n'],
    ['drawing.svg', svg],
    ['drawing.svg', `<?xml version="1.0"?>${svg}`],
    ['feed.xml', '<feed/>'],
    ['page.htm', '<p>no doctype'],
    ['page.html', '<!doctype html>'],
    ['dates.ics', 'X-FIRST:1\nBEGIN:VCALENDAR\n'],
    ['data.json', '{}'],
    ['source.ts', 'export const answer = 42;\n'],
    ['graph.dot', 'digraph { a -> b }'],
    ['strings.pot', 'msgid ""\nmsgstr ""\n'],
    ['server.key', '-----BEGIN PRIVATE KEY-----\n'],
    ['id_rsa.pub', 'ssh-rsa AAAA'],
    ['mesh.stl', 'solid part\n'],
    ['LICENSE', 'text'],
    ['Makefile.unknown-to-all', 'text'],
    ['', 'text'],
    ['.', 'text'],
    ['report.pdf/notes', 'text'],
    ['v1.2', 'text'],
  ];
  for (const [name, text] of files) t.strictSame(await verify(text, name), verified, name);
});

test('an ambiguous text extension (.dot) still refuses a PDF', async (t) => {
  const { verify } = await newVerifier(t);
  const pdf = await readFile(join(samples, 'note.pdf'));
  const doc = await readFile(join(samples, 'note.doc'));
  t.strictSame(await verify(pdf, 'a.dot'), mismatch('dot', 'pdf'));
  t.strictSame(await verify(doc, 'a.dot'), verified);
});

test('takes the extension from a name as the operating system would', async (t) => {
  const { verify } = await newVerifier(t);
  const names = [
    'a.pdf',
    'A.PDF',
    'a.txt.pdf',
    '.pdf',
    'a.pdf.',
    'a.pdf . ',
    'ü ü.pdf',
    'a\u202e.pdf',
  ];
  names.push('a.pd\u200bf', 'a．pdf', 'dir/a.pdf', 'dir\\a.pdf', 'a.pdf\0');
  for (const name of names) {
    t.strictSame(await verify('text', name), mismatch('pdf', null), JSON.stringify(name));
  }
});

test('a zip passes as an Office document only if its content types say so', async (t) => {
  const { verify } = await newVerifier(t);
  const types = (main: string, quote = '"') =>
    `<Types xmlns=${quote}http://schemas.openxmlformats.org/package/2006/content-types${quote}>` +
    `<Override PartName=${quote}/word/document.xml${quote} ContentType=${quote}${main}${quote}/></Types>`;
  const wordMain =
    'application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml';
  const rest: ZipEntry[] = [
    { name: '_rels/.rels', content: '<Relationships/>' },
    { name: 'word/document.xml', content: '<document/>' },
  ];
  const contentTypes = { name: '[Content_Types].xml', content: types(wordMain) };
  const streamed = (entries: readonly ZipEntry[]) =>
    entries.map((entry) => ({ ...entry, streamed: true }));
  const content = Buffer.from('an image');
  const media = Array.from({ length: 3_000 }, (_, i) => ({
    name: `word/media/image${i}.png`,
    content,
  }));
  const large = { name: 'word/media/film.bin', content: Buffer.alloc(3_000_000, 7), stored: true };
  const documents: Readonly<Record<string, readonly ZipEntry[]>> = {
    'content types first': [contentTypes, ...rest],
    'content types last': [...rest, contentTypes],
    streamed: streamed([...rest, contentTypes]),
    'streamed, with a large part first': streamed([large, ...rest, contentTypes]),
    'thousands of parts, content types last': [...media, ...rest, contentTypes],
    'thousands of streamed parts': streamed([...media, ...rest, contentTypes]),
    'single quotes': [{ ...contentTypes, content: types(wordMain, "'") }, ...rest],
  };
  for (const [what, entries] of Object.entries(documents)) {
    const zip = zipOf(entries);
    t.strictSame(await verify(zip, 'a.docx'), verified, what);
    t.equal((await verify(zip, 'a.xlsx')).status, 'mismatch', `${what}, as xlsx`);
    t.strictSame(await verify(zip, 'a.zip'), verified, `${what}, as zip`);
  }
  const others: Readonly<Record<string, readonly ZipEntry[]>> = {
    'some zip': [{ name: 'x.txt', content: 'x' }],
    'an empty zip': [],
    'a folder of that name': [{ name: 'word/x.txt', content: 'x' }],
    'content types alone, of nothing': [{ name: '[Content_Types].xml', content: '<Types/>' }],
    'a document inside': [
      { name: 'a.docx', content: zipOf([contentTypes, ...rest]), stored: true },
    ],
    'a name that only ends so': [{ name: 'x/[Content_Types].xml', content: types(wordMain) }],
  };
  for (const [what, entries] of Object.entries(others)) {
    const zip = zipOf(entries);
    for (const extension of ['docx', 'xlsx', 'pptx', 'odt', 'epub']) {
      const expected = mismatch(extension, 'zip');
      t.strictSame(await verify(zip, `a.${extension}`), expected, what);
    }
  }
});

test('an encrypted document passes as .docx, .xlsx or .pptx, not as .doc', async (t) => {
  const { verify } = await newVerifier(t);
  const encrypted = compoundFile(['Root Entry', 'EncryptedPackage', 'DataSpaces']);
  for (const extension of ['docx', 'xlsx', 'pptx']) {
    t.strictSame(await verify(encrypted, `a.${extension}`), verified);
  }
  t.equal((await verify(encrypted, 'a.doc')).status, 'mismatch');
  const old = compoundFile(['Root Entry', 'WordDocument']);
  t.strictSame(await verify(old, 'a.doc'), verified);
  t.strictSame(await verify(old, 'a.docx'), mismatch('docx', 'cfb'));
});

test('recognises MP3 with and without ID3 tags, padding and leading zeros', async (t) => {
  const { verify } = await newVerifier(t);
  const bare = await readFile(join(samples, 'bare.mp3'));
  const tag = (padding: number) => {
    const size = [21, 14, 7, 0].map((shift) => (padding >> shift) & 0x7f);
    const head = Buffer.from([0x49, 0x44, 0x33, 4, 0, 0, ...size]);
    return Buffer.concat([head, Buffer.alloc(padding)]);
  };
  const zeros = Buffer.alloc(500);
  const files = [
    bare,
    [tag(100), bare],
    [tag(100), zeros, bare],
    [zeros, bare],
    [tag(90_000), bare],
  ];
  for (const parts of files) {
    const bytes = Buffer.concat(Array.isArray(parts) ? parts : [parts]);
    t.strictSame(await verify(bytes, 'a.mp3'), verified);
  }
  const flac = await readFile(join(samples, 'tone.flac'));
  t.strictSame(await verify(Buffer.concat([tag(10), flac]), 'a.mp3'), mismatch('mp3', 'flac'));
  t.strictSame(await verify(zeros, 'a.mp3'), mismatch('mp3', null));
});

test('recognises formats without a sample file by their signatures', async (t) => {
  const { verify } = await newVerifier(t);
  const body = Buffer.alloc(600, 1);
  const heads: readonly (readonly [string, Buffer])[] = [
    ['exe', Buffer.from('MZ\x90\x00', 'latin1')],
    ['dll', Buffer.from('MZ\x90\x00', 'latin1')],
    ['rar', Buffer.from('Rar!\x1a\x07\x01\x00', 'latin1')],
    ['rar', Buffer.from('Rar!\x1a\x07\x00', 'latin1')],
    ['cab', Buffer.from('MSCF')],
    ['psd', Buffer.from('8BPS')],
    ['wasm', Buffer.from('\0asm', 'latin1')],
    ['class', Buffer.from([0xca, 0xfe, 0xba, 0xbe, 0, 0, 0, 65])],
    ['heic', Buffer.from('\0\0\0\x18ftypheis', 'latin1')],
    ['sqlite', Buffer.from('SQLite format 3\0')],
  ];
  for (const [extension, head] of heads) {
    const bytes = Buffer.concat([head, body]);
    t.strictSame(await verify(bytes, `a.${extension}`), verified, extension);
    t.equal((await verify(bytes, 'a.pdf')).status, 'mismatch', `${extension} as pdf`);
  }
});

test('a file that is both PDF and zip counts as the format that comes first', async (t) => {
  const { verify } = await newVerifier(t);
  const pdf = await readFile(join(samples, 'note.pdf'));
  const zip = zipOf([{ name: 'x', content: 'x' }]);
  const both = Buffer.concat([pdf, zip]);
  t.strictSame(await verify(both, 'a.pdf'), verified);
  t.strictSame(await verify(both, 'a.zip'), mismatch('zip', 'pdf'));
  t.strictSame(await verify(Buffer.concat([zip, pdf]), 'a.pdf'), mismatch('pdf', 'zip'));
});

/** Header and directory of a compound file with these entries (MS-CFB 2.2, 2.6). */
function compoundFile(entries: readonly string[]): Buffer {
  const header = Buffer.alloc(512);
  header.writeBigUInt64BE(0xd0cf11e0a1b11ae1n);
  header.writeUInt16LE(9, 30);
  header.writeUInt32LE(1, 48);
  const fat = Buffer.alloc(512, 0xff);
  const directory = entries.map((name) => {
    const entry = Buffer.alloc(128);
    entry.write(name, 'utf16le');
    entry.writeUInt16LE(2 * (name.length + 1), 64);
    return entry;
  });
  return Buffer.concat([header, fat, ...directory, Buffer.alloc(512)]);
}
