import type { CertificateContent } from '../../../src/certificates/certificate-content.ts';
import { noEvidence } from '../../../src/certificates/evidence-summary.ts';
import {
  type CertificateRenderer,
  createCertificateRenderer,
} from '../../../src/certificates/pdf/certificate-renderer.ts';
import { currentTemplate } from '../../../src/domain/proof/template-version.ts';
import { benchmark, count } from '../harness/benchmark.ts';
import { watchBlocks } from '../harness/blocks.ts';
import { round } from '../harness/figures.ts';
import { closedLoop } from '../harness/latencies.ts';
import { progress } from '../harness/progress.ts';
import { newOrganisation } from '../samples/listed-proofs.ts';
import { syntheticDigest } from '../samples/synthetic-digest.ts';
import { measureServed } from './served.ts';

const target = { perSecondOfOneCore: 60, longestBlockMs: 50 } as const;
/** Concurrent requests, so that the rendering thread never waits. */
const asking = 4;
const { organisationId } = newOrganisation();

/**
 * Renders certificates on one thread for callers on another one, each with its own name, digests
 * and addresses, in several scripts. Counts certificates per second of the thread's processor time,
 * since on a busy machine the thread does not get a core to itself. Then measures the same for the
 * program, over HTTP.
 */
export const certificates = benchmark({
  name: 'certificates',
  description: 'certificates rendered on one thread, and the delays of other threads',
  options: {
    seconds: count('measured seconds', 20),
    warmUp: count('seconds of warm-up, not measured', 5),
    proofs: count('proofs whose certificates the service issues', 1_000),
  },
  async measure({ seconds, warmUp, proofs }, cleanUp) {
    const renderer = createCertificateRenderer({ threads: 1 });
    cleanUp.defer(() => renderer.close());
    progress('Warming up');
    await render(renderer, warmUp);
    progress('Measuring');
    const results = await render(renderer, seconds);
    await renderer.close();
    progress('Requesting certificates from the service');
    const served = await measureServed(proofs, nameOf, cleanUp);
    return {
      postgres: null,
      setting: { threads: 1, asking, bundleBytes: bundle.length, seconds },
      results,
      served,
      target,
      met:
        results.perSecondOfOneCore >= target.perSecondOfOneCore &&
        results.longestBlockMs <= target.longestBlockMs &&
        served.first.longestBlockMs <= target.longestBlockMs &&
        served.again.longestBlockMs <= target.longestBlockMs &&
        served.sameBytes,
    };
  },
});

async function render(renderer: CertificateRenderer, seconds: number) {
  const blocks = watchBlocks();
  const all = process.cpuUsage();
  const here = process.threadCpuUsage();
  let bytes = 0;
  const loop = { callers: asking, ms: 1_000 * seconds };
  const { latencies, ms } = await closedLoop(loop, async () => {
    bytes += (await renderer.render(organisationId, nextContent(), bundle)).length;
  });
  const longest = blocks.take();
  blocks.stop();
  const threadMs = total(process.cpuUsage(all)) - total(process.threadCpuUsage(here));
  const { count, ...latencyMs } = latencies.summary();
  return {
    certificates: count,
    perSecond: round((1_000 * count) / ms, 1),
    processorMsEach: round(threadMs / count, 2),
    perSecondOfOneCore: round((1_000 * count) / threadMs, 1),
    longestBlockMs: round(longest.processorMs, 1),
    longestDelayMs: round(longest.delayMs, 1),
    bytesEach: round(bytes / count),
    latencyMs,
  };
}

/** Milliseconds. */
function total({ user, system }: NodeJS.CpuUsage): number {
  return (user + system) / 1_000;
}

const names = [
  ...['Supply agreement', 'Résumé Łódź', 'Συμφωνητικό μίσθωσης', 'Договор поставки', 'Invoice'],
  ...[
    'عقد الإيجار',
    'חוזה שכירות',
    '采购合同最终版',
    '売買契約書',
    '공급 계약서',
    'आपूर्ति अनुबंध',
    'Plan 👍🏽',
  ],
];
let issued = 0;

function nameOf(index: number): string {
  return `${names[index % names.length]} ${index}.pdf`;
}

function nextContent(): CertificateContent {
  issued += 1;
  const digest = (of: string) => syntheticDigest(`${of} ${issued}`);
  const transactionHash = digest('transaction').toUpperCase();
  return {
    templateVersion: currentTemplate,
    proofId: `01JZ8Q4C6K3W5T7R9X${String(issued).padStart(8, '0')}`,
    issuedAt: '2026-11-21T05:00:00.000Z',
    fileName: nameOf(issued),
    fileSizeBytes: 10_000 + issued,
    mimeType: 'application/pdf',
    ...{ description: null, classification: null },
    fileHash: digest('file'),
    hashScheme: 'hmac-sha256-nonce-v3',
    commitment: digest('commitment'),
    nonce: digest('nonce'),
    network: 'mainnet',
    standalone: false,
    transactionHash,
    ledgerIndex: 94_000_000 + issued,
    ledgerHash: digest('ledger').toUpperCase(),
    closeTimeIso: '2026-11-21T04:40:50.000Z',
    account: 'rPT1Sjq2YGrBMTttX4GZHjKu9dyfzbpAYe',
    organisationName: 'Nordlicht Engineering GmbH',
    workspaceName: 'Contracts',
    revision: null,
    previousTransactionHash: null,
    verifyUrl: `https://livenet.xrpl.org/transactions/${transactionHash}`,
    verifyPageUrl: `https://proofmark.example/verify/${transactionHash}`,
    publicApiUrl: `https://proofmark.example/api/public/verify/${transactionHash}`,
    explorerUrl: `https://livenet.xrpl.org/transactions/${transactionHash}`,
    verifier: { url: 'https://proofmark.example/verify.py', sha256: digest('verifier') },
    evidence: { ...noEvidence, validators: 28 },
  };
}

/** As large as a real bundle: transaction, metadata and header in hexadecimal. */
const bundle = Buffer.from(
  JSON.stringify(Array.from({ length: 100 }, (_, n) => syntheticDigest(`${n}`))),
);
