import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import decodeQr from 'qr/decode.js';
import { test } from 'tap';
import type { CertificateContent } from '../../../src/certificates/certificate-content.ts';
import { renderCertificate } from '../../../src/certificates/pdf/render-certificate.ts';
import {
  barestContent,
  certificateBundle,
  certificateContent,
  fullestContent,
} from '../../support/certificate-content.ts';
import { renderPages } from '../../support/pdf-images.ts';
import { pdfReaders } from '../../support/pdf-readers.ts';
import { readPdf } from '../../support/pdf-text.ts';

const run = promisify(execFile);
const kinds: Readonly<Record<string, CertificateContent>> = {
  ordinary: certificateContent(),
  fullest: fullestContent,
  barest: barestContent,
};

const readers = await pdfReaders();

for (const [kind, content] of Object.entries(kinds)) {
  test(`the ${kind} certificate shows every fact, on three pages of at most 300 kB`, async (t) => {
    const pdf = await renderCertificate(content, certificateBundle);
    t.ok(pdf.length <= 300_000, `${pdf.length} bytes`);
    const { pages, links } = await readPdf(pdf);
    t.equal(pages.length, 3);
    t.ok(pages[1]?.trimStart().startsWith('Details'));
    t.ok(pages[2]?.trimStart().startsWith('How to verify'), 'the ways to verify are on one page');
    for (const { name, textOf } of readers) {
      const text = await textOf(pdf);
      for (const fact of factsOf(content)) t.ok(text.includes(fact), `${name}: ${fact}`);
      t.match(text, 'Ledger close times are rounded');
      const [first = '', second = ''] = text.split('Details\n');
      t.equal(first.includes('contain the nonce'), content.nonce !== null, 'warns of the nonce');
      t.equal(/can be reset/.test(first), content.network === 'testnet', 'warns of resets');
      const existed = /existed, byte for byte, no later than 21 November 2026, 04:40:50 UTC/;
      t.match(first.replaceAll(/\s+/g, ' '), existed);
      t.equal(/[Nn]o evidential value/.test(first), content.standalone, 'warns of our own ledger');
      t.ok(second.includes('compute the SHA-256 of the file'));
    }
    for (const url of linksOf(content)) t.ok(links.includes(url), url);
  });
}

test('the fullest certificate with the longest file name has its issuer on one page', async (t) => {
  const fileName = 'some words of no great length '.repeat(9).slice(0, 251).trimEnd();
  const pdf = await renderCertificate({ ...fullestContent, fileName }, certificateBundle);
  const { pages } = await readPdf(pdf);
  const ofIssuer = pages.filter((page) => page.includes('ISSUER, AS STATED'));
  t.equal(ofIssuer.length, 1);
  for (const label of ['Organisation', 'Workspace', 'Proof ID', 'Certificate issued']) {
    t.match(ofIssuer[0], label);
  }
});

test('the address of the page for verification is in words, above verify.py and the manual way', async (t) => {
  const content = certificateContent();
  const { pages } = await readPdf(await renderCertificate(content, certificateBundle));
  t.match(pages[0], /\nVERIFY\nhttps:\/\/proofmark\.example\/verify\n/);
  const guide = pages[2] ?? '';
  const places = ['1 On the', 'https://proofmark.example/verify', '2 With verify.py', '3a By hand'];
  const found = places.map((place) => guide.indexOf(place));
  t.ok(found.every((at) => at >= 0));
  t.strictSame(
    found,
    [...found].sort((a, b) => a - b),
  );
  t.match(guide, content.verifier?.sha256);
});

test('nothing is printed where A4 and US Letter do not overlap', async (t) => {
  const scale = 1;
  for (const page of await renderPages(
    await renderCertificate(fullestContent, certificateBundle),
    scale,
  )) {
    const rowOf = (y: number) => page.data.subarray(4 * page.width * y, 4 * page.width * (y + 1));
    const isBlank = (y: number) => rowOf(y).every((value) => value === 255);
    for (let y = 0; y < 43; y += 1) t.ok(isBlank(y), `row ${y}`);
    for (let y = 774; y < page.height; y += 1) t.ok(isBlank(y), `row ${y}`);
  }
});

/** Links of the certificate. The explorer does not know a standalone ledger. */
function linksOf({ verifyPageUrl, publicApiUrl, explorerUrl, standalone }: CertificateContent) {
  const own = [verifyPageUrl ?? '', publicApiUrl];
  return standalone ? own : [...own, explorerUrl];
}

function factsOf(content: CertificateContent): string[] {
  const { templateVersion, verifyUrl, verifyPageUrl, explorerUrl, ...whole } = content;
  const { evidence, verifier, ...said } = whole;
  const { issuedAt, closeTimeIso, fileSizeBytes, ledgerIndex, network, standalone, ...texts } =
    said;
  const facts = Object.values(texts).filter((value) => value !== null);
  return [
    ...facts.map(String),
    '21 November 2026, 04:40:50 UTC',
    '21 November 2026, 05:00:00 UTC',
    '94,512,345',
    ...(evidence.log === null ? [] : [evidence.log.origin, evidence.log.root]),
    ...(evidence.validators === null ? [] : ['signatures of 28 validators']),
    ...(evidence.stampedAt === null ? [] : ['21 November 2026, 04:59:59 UTC']),
    verifier?.sha256 ?? '',
    '94512345',
    ...(fileSizeBytes === null ? [] : ['1.24 MB (1,240,113 bytes)']),
    standalone ? 'Development ledger' : network === 'testnet' ? 'XRP Ledger Testnet' : 'XRP Ledger',
  ];
}

test('attaches the bundle unchanged', async (t) => {
  const pdf = await renderCertificate(certificateContent(), certificateBundle);
  const { attachments } = await readPdf(pdf);
  t.strictSame([...attachments.keys()], ['proof-bundle.json']);
  t.ok(certificateBundle.equals(attachments.get('proof-bundle.json') ?? new Uint8Array()));
});

test('the PDF is tagged: headings, lists, tables with headers, code, links and the figure', async (t) => {
  const { tags } = await readPdf(await renderCertificate(fullestContent, certificateBundle));
  t.equal(tags.filter((tag) => tag === 'H1').length, 1);
  t.equal(tags.filter((tag) => tag === 'H2').length, 3);
  t.equal(tags.filter((tag) => tag === 'H3').length, 10);
  t.equal(tags.filter((tag) => tag === 'TR').length, tags.filter((tag) => tag === 'TH').length);
  for (const tag of ['Table', 'TD', 'Code', 'L', 'LI', 'Lbl', 'LBody', 'Link', 'Figure', 'P'])
    t.ok(tags.includes(tag), tag);
});

test('the QR code on the first page holds the verification address', async (t) => {
  const content = certificateContent();
  const [page] = await renderPages(await renderCertificate(content, certificateBundle), 2);
  if (page === undefined) throw new Error('no page');
  t.equal(decodeQr(page), content.verifyPageUrl);
});

test('the same input gives the same bytes in any process, after any other rendering', async (t) => {
  const name = 'عربي بيت عنب حجر خبز 合同 हिन्दी 👍🏽';
  const content = certificateContent({ fileName: name });
  const other = certificateContent({ fileName: 'نبت يبس شمس جحد ב֑ह्नि', organisationName: '中' });
  const digest = (pdf: Uint8Array) => createHash('sha256').update(pdf).digest('hex');
  const first = digest(await renderCertificate(content, certificateBundle));
  await renderCertificate(other, certificateBundle);
  t.equal(digest(await renderCertificate(content, certificateBundle)), first);
  const module = new URL('../../../src/certificates/pdf/render-certificate.ts', import.meta.url);
  const script = `
    const { renderCertificate } = await import(${JSON.stringify(module.href)});
    const { createHash } = await import('node:crypto');
    const [other, content, bundle] = JSON.parse(process.argv[1]);
    await renderCertificate(other, Buffer.from(bundle));
    const pdf = await renderCertificate(content, Buffer.from(bundle));
    process.stdout.write(createHash('sha256').update(pdf).digest('hex'));`;
  const input = JSON.stringify([other, content, certificateBundle.toString()]);
  const zone = { ...process.env, TZ: 'Asia/Kathmandu', LC_ALL: 'ar_EG.UTF-8' };
  const args = ['--input-type=module', '-e', script, input];
  const { stdout } = await run(process.execPath, args, { env: zone });
  t.equal(stdout, first);
});
