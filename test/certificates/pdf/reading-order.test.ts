import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import tap, { type Test, test } from 'tap';
import type { CertificateContent } from '../../../src/certificates/certificate-content.ts';
import { renderCertificate } from '../../../src/certificates/pdf/render-certificate.ts';
import { guideOf } from '../../../src/certificates/pdf/template-3/guide.ts';
import { lede, statements, warningsOf } from '../../../src/certificates/pdf/template-3/texts.ts';
import { newFolder } from '../../support/blobs.ts';
import {
  barestContent,
  certificateBundle,
  certificateContent,
  fullestContent,
} from '../../support/certificate-content.ts';

const execute = promisify(execFile);
const hasPdfinfo = await execute('pdfinfo', ['-v']).then(
  () => true,
  () => false,
);

/**
 * Texts of the tagged elements in reading order, each as a screen reader gets it: poppler joins the
 * lines of an element with nothing between them.
 */
async function readElements(
  t: Pick<Test, 'teardown'>,
  content: CertificateContent,
  roomBytes: number | null = null,
): Promise<readonly string[]> {
  const file = join(await newFolder(t), 'certificate.pdf');
  await writeFile(file, await renderCertificate(content, certificateBundle, roomBytes));
  const { stdout } = await execute('pdfinfo', ['-struct-text', file]);
  return [...stdout.matchAll(/^ +"(.*)"$/gm)].map(([, text = '']) => text);
}

const contents = {
  ordinary: certificateContent(),
  fullest: fullestContent,
  barest: barestContent,
} as const;
const read = new Map<keyof typeof contents, Promise<readonly string[]>>();

/** As `readElements`, once for each kind: poppler takes seconds. */
function elementsOf(kind: keyof typeof contents): Promise<readonly string[]> {
  const elements = read.get(kind) ?? readElements(tap, contents[kind]);
  read.set(kind, elements);
  return elements;
}

for (const kind of ['ordinary', 'fullest', 'barest'] as const) {
  const content = contents[kind];
  const options = { skip: !hasPdfinfo };
  test(
    `no words of the ${kind} certificate run together for a screen reader`,
    options,
    async (t) => {
      const elements = await elementsOf(kind);
      const long = [
        lede(content),
        ...warningsOf(content).map(({ text }) => text),
        ...statements(content, false),
        ...guideOf(content).flatMap(({ parts }) =>
          parts.flatMap((part) => (part.kind === 'text' ? [part.text] : [])),
        ),
        'Scan the code, or open this address, and add the file and this certificate. Both stay on your device.',
      ];
      t.ok(long.length > 10);
      for (const text of long) t.ok(elements.includes(text), text);
    },
  );
}

test('facts are read in their order, each label before its value', {
  skip: !hasPdfinfo,
}, async (t) => {
  const elements = await elementsOf('fullest');
  const order = [
    ...['Proof-of-existence certificate', 'FILE', 'Supply agreement 2026 – final.pdf'],
    ...['1.24 MB (1,240,113 bytes)', 'EXISTED NO LATER THAN', '21 November 2026, 04:40:50 UTC'],
    ...['LEDGER', 'XRP Ledger Testnet', 'VERIFY', 'https://proofmark.example/verify'],
    ...['Confidential', 'Test network', 'What this certificate states', 'Details'],
    ...['Description', 'Classification', 'Revision', '3', 'Nonce (confidential)'],
    ...['Close time', 'Validators', 'Log checkpoint', 'Time-stamp token', "Issuer's signature"],
    ...['Organisation', 'Nordlicht Engineering GmbH', 'Certificate issued'],
    ...['21 November 2026, 05:00:00 UTC', 'How to verify', '1 On the verification page'],
    ...['2 With verify.py, offline', '3a By hand: compute the SHA-256 of the file'],
  ];
  let from = 0;
  for (const text of order) {
    const at = elements.indexOf(text, from);
    t.ok(at >= from, `${text} follows ${elements[from - 1]}`);
    from = at + 1;
  }
});

test('a long name is read with the blanks at the ends of its lines', {
  skip: !hasPdfinfo,
}, async (t) => {
  const fileName = `${'some words of no great length '.repeat(8)}end.pdf`;
  const organisationName = 'Organisation of  many words, '.repeat(8).trimEnd();
  const elements = await readElements(t, certificateContent({ fileName, organisationName }));
  t.ok(elements.includes(fileName), 'the whole name');
  t.ok(elements.includes(organisationName), 'the whole organisation');
});

test('the statement says if the PDF has a signature', { skip: !hasPdfinfo }, async (t) => {
  const signed = 'The digital signature on this PDF shows that the PDF was not changed';
  const unsigned = 'This PDF has no digital signature.';
  const last = (elements: readonly string[]) =>
    elements.find((text) => text.includes('digital signature'));
  const withRoom = await readElements(t, certificateContent(), 2_000);
  t.match(last(withRoom), new RegExp(`^${signed} since the issuing service signed it\\.`));
  t.match(last(await elementsOf('ordinary')), new RegExp(`^${unsigned} The public log`));
});
