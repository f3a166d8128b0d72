import fc from 'fast-check';
import tap, { test } from 'tap';
import { renderCertificate } from '../../../src/certificates/pdf/render-certificate.ts';
import { setForeignLines } from '../../../src/certificates/pdf/set-foreign-lines.ts';
import { shapedFont } from '../../../src/certificates/pdf/shaped-font.ts';
import { anyCharacter } from '../../support/any-character.ts';
import { certificateBundle, certificateContent } from '../../support/certificate-content.ts';
import { drawCases } from '../../support/draw-cases.ts';
import { type ReadPdf, readPdf } from '../../support/pdf-text.ts';
import { readWithQpdf } from '../../support/qpdf.ts';
import { runCount } from '../../support/run-count.ts';

async function readNamed(fileName: string): Promise<ReadPdf & { readonly name: string }> {
  const read = await readPdf(
    await renderCertificate(certificateContent({ fileName }), certificateBundle),
  );
  const [, name = ''] = /\nName\s*(.*?)\s*\nSize/s.exec(read.pages[1] ?? '') ?? [];
  return { ...read, name: name.replaceAll('\n', '') };
}

/** PDF readers insert blanks at gaps, above all between writing directions. */
const withoutBlanks = (text: string) => text.replace(/\s/g, '');

const readable: Readonly<Record<string, string>> = {
  Latin: 'Résumé Łódź e\u0301tude Tiếng Việt.pdf',
  Greek: 'Συμφωνητικό μίσθωσης.pdf',
  Cyrillic: 'Договор поставки № 7.docx',
  Arabic: 'بيت عنب حجر خبز شمس.pdf',
  'Arabic with vowels': 'شَهَادَة.pdf',
  'Arabic with marks of recitation': 'وَقۡفٞۖ سَكۡتٌۜ صِلَةٌۗ.pdf',
  Persian: 'می\u200Cخواهم قرارداد.pdf',
  Hebrew: 'חוזה שכירות – עותק סופי.pdf',
  'Hebrew with points': 'שָׁלוֹם עֲלֵיכֶם.txt',
  Chinese: '采购合同（最终版）2026年11月.pdf',
  'traditional Chinese': '體國龍龜之契約書.pdf',
  Japanese: '売買契約書\u3000最終版ーカタカナひらがな.pdf',
  Korean: '공급 계약서 최종본.hwp',
  Devanagari: 'आपूर्ति अनुबंध क्षत्रिय हिन्दी.pdf',
  emoji: 'Contract 👍🏽 👨‍👩‍👧 🇩🇪 ❤️ 1️⃣ 😀.pdf',
  'several scripts': 'Angebot עברית and عربي 中文 हिन्दी 2026.pdf',
};

/** Scripts that share a font. */
const fonts = [/Latin|Greek|Cyrillic/, /Arabic|Persian/, /Hebrew/, /Chinese/];
const fontOf = (script: string) => String(fonts.find((each) => each.test(script)) ?? script);

for (const [script, fileName] of drawCases(tap, Object.entries(readable), ([one]) => fontOf(one))) {
  test(`a name in ${script} is copied from the PDF unchanged`, async (t) => {
    const { name, pages } = await readNamed(fileName);
    t.equal(withoutBlanks(name), withoutBlanks(fileName));
    t.equal(pages.length, 3);
  });
}

test('clusters too wide for one glyph are escaped', async (t) => {
  // Unicode counts letters that viramas join, and joined emoji, as one character, however many.
  const clusters = { क्: 'क\\u{94D}', '👩\u200D': '👩\\u{200D}' };
  for (const [cluster, shown] of Object.entries(clusters)) {
    const { name } = await readNamed(cluster.repeat(Math.floor(250 / cluster.length)));
    t.ok(name.startsWith(shown), name);
  }
  const { name } = await readNamed(`${'क्'.repeat(12)}.pdf`);
  t.equal(name, `${'क्'.repeat(12)}.pdf`, 'more than any word joins');
});

test('a text that the tables of its font cannot shape is drawn without them', async (t) => {
  const { font } = shapedFont('sans');
  const { layout } = font;
  t.teardown(() => {
    font.layout = layout;
  });
  let failures = 0;
  font.layout = (text, ...rest) => {
    if (!text.includes('ष्ण')) return layout.call(font, text, ...rest);
    failures += 1;
    throw new RangeError('offset is out of bounds');
  };
  const { name } = await readNamed('कृष्ण.pdf');
  t.equal(name, 'कृष्ण.pdf');
  t.ok(failures > 0);
});

const spaced: Readonly<Record<string, string>> = {
  Latin: 'a  b   c.pdf',
  Hebrew: 'חוזה  שכירות.pdf',
  Arabic: 'عقد  الإيجار.pdf',
  Japanese: '契約書  最終版\u3000\u3000付属書.pdf',
  'full-width letters': '付属書Ａ  ｚ.pdf',
};

for (const [script, fileName] of Object.entries(spaced)) {
  test(`two spaces in a name in ${script} are copied as two spaces`, async (t) => {
    const { name } = await readNamed(fileName);
    t.equal(name, fileName);
  });
}

const escaped: Readonly<Record<string, readonly [string, string]>> = {
  'an override of direction': ['invoice\u202Efdp.exe', 'invoice\\u{202E}fdp.exe'],
  'isolates and marks': [
    'a\u2066b\u2069c\u200Ed\u061Ce',
    'a\\u{2066}b\\u{2069}c\\u{200E}d\\u{61C}e',
  ],
  controls: ['a\u0001b\nc\rd\te\u007Ff\u0085g', 'a\\u{1}b\\u{A}c\\u{D}d\\u{9}e\\u{7F}f\\u{85}g'],
  'what is invisible': [
    'a\u200Bb\u00ADc\uFEFFd\u3164e\u{E0041}f\u034Fg',
    'a\\u{200B}b\\u{AD}c\\u{FEFF}d\\u{3164}e\\u{E0041}f\\u{34F}g',
  ],
  'joiners where nothing joins': ['a\u200Db\u200Cc1\u200D2', 'a\\u{200D}b\\u{200C}c1\\u{200D}2'],
  'a selector where nothing is selected': ['a\uFE0Fb7\uFE0F', 'a\\u{FE0F}b7\\u{FE0F}'],
  'blanks that are easily overlooked': ['a\u00A0b\u202Fc ', 'a\\u{A0}b\\u{202F}c\\u{20}'],
  'many blanks in a row': ['a    .exe', `a${'\\u{20}'.repeat(4)}.exe`],
  'different blanks in a row': ['a \u3000.exe', 'a\\u{20}\\u{3000}.exe'],
  'wide blanks that are easily overlooked': [
    '契約書.pdf\u3000 .exe\u3000',
    '契約書.pdf\\u{3000}\\u{20}.exe\\u{3000}',
  ],
  'nothing but blanks': ['\u3000 \u3000', '\\u{3000}\\u{20}\\u{3000}'],
  'scripts that no font has': ['ไทย.pdf', '\\u{E44}\\u{E17}\\u{E22}.pdf'],
  'unassigned and private': ['\u{10FFFF}\uE000\u0378', '\\u{10FFFF}\\u{E000}\\u{378}'],
  'what looks like an escape': ['\\u{202E} \\n', '\\u{5C}u{202E} \\n'],
  'piled marks': [`Z${'\u0301'.repeat(6)}`, `Z${'\\u{301}'.repeat(6)}`],
  'a mark without a letter': ['\u0301a', '\\u{301}a'],
};

for (const [what, [fileName, shown]] of Object.entries(escaped)) {
  test(`shows ${what} as escapes`, async (t) => {
    const { name } = await readNamed(fileName);
    t.equal(name, shown);
  });
}

test('an empty name is distinguished from a missing one, and keeps its row', async (t) => {
  const { name, pages } = await readNamed('');
  t.equal(name, 'empty');
  t.match(pages[0], 'Unnamed file');
});

test('up to four marks stay with their letter', async (t) => {
  const { name } = await readNamed(`Z${'\u0301'.repeat(4)}`);
  t.equal(name, `Z${'\u0301'.repeat(4)}`);
});

const hostile: Readonly<Record<string, string>> = {
  'PDF operators': ') Tj ET Q (evil) Tj \\) << /JS (x) >> endstream endobj\n%%EOF',
  markup: '<b>&amp;</b>]]><?xpacket end="w"?>',
  '255 W': 'W'.repeat(255),
  '255 i': 'i'.repeat(255),
  '255 of the widest glyph': '\uFDFD'.repeat(255),
  '255 East Asian characters': Array.from({ length: 255 }, (_, index) =>
    String.fromCodePoint(0x4e00 + 80 * index),
  ).join(''),
  '255 emoji': '👍'.repeat(255),
  '255 controls': '\u0001'.repeat(255),
  '255 marks': '\u0301'.repeat(255),
  '255 overrides': '\u202E'.repeat(255),
  'a word of 240 Arabic letters': 'عقد'.repeat(80),
};

/** Names of 255 characters have one kind. */
const hostileKind = ([what]: readonly [string, string]) => (what.startsWith('255') ? '255' : what);

for (const [what, fileName] of drawCases(tap, Object.entries(hostile), hostileKind)) {
  test(`${what} in every name change only the names`, async (t) => {
    const content = certificateContent({
      fileName,
      mimeType: fileName,
      organisationName: fileName,
      workspaceName: fileName,
    });
    const pdf = await renderCertificate(content, certificateBundle);
    t.ok(pdf.length < 300_000, `${pdf.length} bytes`);
    await readWithQpdf(pdf);
    const { pages } = await readPdf(pdf);
    t.ok(pages.length <= 4, `${pages.length} pages`);
    const text = pages.join('\n');
    for (const fact of [content.fileHash, content.nonce, content.transactionHash]) {
      t.ok(text.includes(String(fact)));
    }
    t.ok(text.includes('21 November 2026, 04:40:50 UTC'));
    t.ok(pages[0]?.includes('contain the nonce'), 'the first page warns of the nonce');
  });
}

test('any name can be rendered, and none loses a character unnoticed', async (t) => {
  const seed = Number(process.env.SEED ?? Date.now() % 2 ** 31);
  t.comment(`replay with SEED=${seed}`);
  const anyName = fc.oneof(
    fc.string({ unit: anyCharacter, minLength: 1, maxLength: 40 }),
    fc.string({ unit: fc.constantFrom(...lettersAndMarks), minLength: 1, maxLength: 40 }),
  );
  await fc.assert(
    fc.asyncProperty(anyName, async (fileName) => {
      const { name, pages } = await readNamed(fileName);
      if (name === '') throw new Error('nothing is shown');
      if (!pages.join('\n').includes(certificateContent().fileHash)) throw new Error('no hash');
      const lost = [...fileName].filter((character) => !shows(name, character));
      if (lost.length > 0) throw new Error(`lost ${JSON.stringify(lost)} of it in ${name}`);
    }),
    { seed, numRuns: runCount(10, 30) },
  );
});

/**
 * Letters and marks of scripts whose marks are placed by font tables, which lack some combinations.
 */
const lettersAndMarks = Array.from({ length: 0xa00 }, (_, code) =>
  String.fromCharCode(code),
).filter(
  (character) =>
    /[\p{L}\p{M}]/u.test(character) &&
    /[\p{Script=Latin}\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Devanagari}\p{Script=Inherited}]/u.test(
      character,
    ),
);

function shows(name: string, character: string): boolean {
  const code = character.codePointAt(0)?.toString(16).toUpperCase();
  // Marks may be copied as part of their letter, or in another order.
  const copied = name.normalize('NFKD');
  const sameWhenCopied = [...character.normalize('NFKD')].every((part) => copied.includes(part));
  return /\s/.test(character) || sameWhenCopied || name.includes(`\\u{${code}}`);
}

test('no line starts with a closing mark or a small kana, and none ends with an opening one', (t) => {
  const text = '最終版であり、付属書（Ａ）と「Ｂ」を含む。カッコー'.repeat(12);
  for (let width = 150; width < 190; width += 3) {
    const setting = { font: 'sans', size: 10, width, maxLines: 99, isTemplate3: true } as const;
    const lines = setForeignLines(text, setting).lines.map(({ runs }) =>
      runs.map((run) => run.text).join(''),
    );
    t.equal(lines.join(''), text);
    t.strictSame(
      lines.filter((line) => /^[、。）」ッー]|[（「]$/u.test(line)),
      [],
      `width ${width}`,
    );
  }
  t.end();
});
