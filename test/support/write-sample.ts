import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { Wallet } from 'xrpl';
import { summariseEvidence } from '../../src/certificates/evidence-summary.ts';
import { createCertificateRenderer } from '../../src/certificates/pdf/certificate-renderer.ts';
import type { Digest } from '../../src/domain/proof/digest.ts';
import { newOrganisationId } from './blobs.ts';
import { sha256 } from './forms.ts';
import { sampleFile, sampleProof, sampleText } from './sample-bundle.ts';
import { syntheticNetwork } from './synthetic-network.ts';

/**
 * Writes the sample of the home page: `src/pages/sample/` and `src/pages/sample-proof.js`. Its
 * network and account have keys that exist only while this program runs, so nobody can sign
 * anything else with them.
 */
const pages = new URL('../../src/pages/', import.meta.url);
const network = syntheticNetwork(5, randomBytes(32).toString('hex'));
const wallet = Wallet.generate();
const options = {
  attested: { network },
  signer: wallet,
  transaction: { Account: wallet.address },
  previous: null,
  ledgerId: 'sample',
  change: { network: 'testnet', account: wallet.address } as const,
};
const { transactionHash } = sampleProof(options).content;
const page = `https://sample.invalid/verify/${transactionHash}`;
const sample = {
  ...options,
  change: {
    ...options.change,
    fileName: 'sample-file.txt',
    mimeType: 'text/plain',
    organisationName: 'Sample (made up: no evidential value)',
    workspaceName: 'Sample',
    verifyUrl: `https://sample.invalid/transactions/${transactionHash}`,
    verifyPageUrl: page,
    publicApiUrl: `https://sample.invalid/api/public/verify/${transactionHash}`,
    explorerUrl: `https://sample.invalid/transactions/${transactionHash}`,
    verifier: {
      url: 'https://sample.invalid/verify.py',
      sha256: sha256(readFileSync(new URL('verify.py', pages))) as Digest,
    },
  },
};
const bundle = Buffer.from(sampleText(sample));
const content = { ...sampleProof(sample).content, evidence: summariseEvidence(bundle) };
const renderer = createCertificateRenderer({ timeoutMs: 120_000 });
const pdf = await renderer.render(newOrganisationId(), content, bundle);
await renderer.close();
mkdirSync(new URL('sample/', pages), { recursive: true });
writeFileSync(new URL('sample/certificate.pdf', pages), pdf);
writeFileSync(new URL('sample/file.txt', pages), sampleFile);
writeFileSync(
  new URL('sample-proof.js', pages),
  `/** @import { Publisher } from '../verifier/evidence/known-publishers.ts' */

/**
 * Publisher of the made-up validators that signed the ledger of the sample. Its keys were deleted, so
 * it signs nothing else.
 * @type {Publisher}
 */
export const samplePublisher = {
  name: 'sample.invalid',
  network: 'testnet',
  key: '${network.publisherKey}',
};

/** Transaction of the sample. No ledger holds it, so nobody is asked for it. */
export const sampleTransaction = '${transactionHash}';
`,
);
