import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'tap';
import { checkBundle } from '../../src/certificates/check-bundle.ts';
import { renderCertificate } from '../../src/certificates/pdf/render-certificate.ts';
import { templateVersions } from '../../src/domain/proof/template-version.ts';
import { extractBundle } from '../../src/verifier/bundle/extract-bundle.ts';
import { readBundle } from '../../src/verifier/bundle/read-bundle.ts';
import {
  checkAttestation,
  isProvenByValidators,
} from '../../src/verifier/check/check-attestation.ts';
import { readPdf } from '../support/pdf-text.ts';
import {
  sampleAttested,
  sampleFileHash,
  sampleLogKey,
  sampleProof,
  sampleText,
  sampleWallet,
} from '../support/sample-bundle.ts';
import { syntheticNetwork } from '../support/synthetic-network.ts';

/** Certificates of the sample proof, each written by the first release with its template. */
const sampleOf = (templateVersion: number) =>
  readFile(join(import.meta.dirname, `samples/certificate-template-${templateVersion}.pdf`));

for (const templateVersion of templateVersions) {
  test(`a certificate of template ${templateVersion} is rendered again byte for byte`, async (t) => {
    const { content } = sampleProof({ version: 2, change: { templateVersion } });
    const pdf = await renderCertificate(content, Buffer.from(sampleText({ version: 2 })));
    t.ok((await sampleOf(templateVersion)).equals(pdf));
  });

  test(`a certificate of template ${templateVersion} is read, and every check passes`, async (t) => {
    const text = await extractBundle(await sampleOf(templateVersion));
    t.equal(text, sampleText({ version: 2 }));
    const checks = checkBundle(readBundle(text), {
      fileHash: sampleFileHash,
      accounts: [sampleWallet.address],
      ledger: { asked: false, why: 'no' },
      logKeys: [sampleLogKey],
      isPrinted: true,
    });
    const rest = checks.filter(({ outcome }) => outcome !== 'ok');
    const unchecked = [
      'network',
      'validated ledger',
      'anchored transaction',
      'statements',
      'pages',
    ];
    t.strictSame(
      rest.map(({ name, outcome }) => [name, outcome]),
      unchecked.map((name) => [name, 'notChecked']),
    );
  });
}

/** The sample proof with signatures of validators, written by the first release that issued them. */
const attestedSample = () =>
  readFile(join(import.meta.dirname, 'samples/certificate-attested.pdf'));

test('a certificate with signatures is rendered again byte for byte, and proves offline', async (t) => {
  const text = sampleText({ attested: sampleAttested });
  const change = { templateVersion: 2 } as const;
  const { content } = sampleProof({ attested: sampleAttested, change });
  const pdf = await renderCertificate(content, Buffer.from(text));
  t.ok((await attestedSample()).equals(pdf));
  const read = await extractBundle(await attestedSample());
  t.equal(read, text);
  const { publisherKey } = sampleAttested.network;
  t.ok(isProvenByValidators(checkAttestation(readBundle(read), [publisherKey])));
});

test('a certificate with signatures of 35 validators stays below 150 kB', async (t) => {
  const network = syntheticNetwork(35);
  const sizes: number[] = [];
  for (const laterLedgers of [0, 256]) {
    const attested = { network, laterLedgers };
    const { content } = sampleProof({ attested });
    const pdf = await renderCertificate(content, Buffer.from(sampleText({ attested })));
    sizes.push(pdf.length);
  }
  t.comment(`${sizes.join(' and ')} bytes`);
  for (const size of sizes) t.ok(size < 150_000, `${size} bytes`);
});

test('certificates of all templates differ in their pages, not in their bundle', async (t) => {
  const [first, second, third] = await Promise.all(
    templateVersions.map(async (version) => readPdf(await sampleOf(version))),
  );
  t.match(first?.pages.join(), 'Revision before');
  t.match(second?.pages.join(), 'Previous revision');
  const bundleOf = (pdf: typeof first) => pdf?.attachments.get('proof-bundle.json');
  t.match(third?.pages.join(), 'What this certificate states');
  t.strictSame(bundleOf(first), bundleOf(second));
  t.strictSame(bundleOf(first), bundleOf(third));
});
