import { createHash } from 'node:crypto';
import type { CertificateContent } from '../../src/certificates/certificate-content.ts';
import {
  type CertificateRenderer,
  createCertificateRenderer,
} from '../../src/certificates/pdf/certificate-renderer.ts';
import { withCleanUp } from './clean-up.ts';
import { createLatencies } from './latencies.ts';
import { describeMachine, loadAverage, round } from './machine.ts';
import { newOrganisation } from './new-organisation.ts';
import { progress } from './progress.ts';
import { measureServed } from './served-certificates.ts';
import { watchBlocks } from './watch-blocks.ts';

export interface CertificatesOptions {
  /** Measured. */
  readonly seconds: number;
  /** Seconds before it. */
  readonly warmUp: number;
  /** Whose certificates are asked of the service. */
  readonly proofs: number;
}

const target = { perSecondOfOneCore: 60, longestBlockMs: 50 } as const;
/** Asked for at any time: the thread never waits for the one who asks. */
const asking = 4;
const { organisationId } = newOrganisation();

/**
 * Certificates rendered on one thread for callers on another one, each with a name, digests and
 * addresses of its own, in turn in the scripts that people write in. Counted per second of the
 * processor time of the thread, since on a busy machine it does not get a core for itself. Then the
 * same of the program, over HTTP.
 */
export async function benchCertificates(options: CertificatesOptions): Promise<object> {
  const startLoad = loadAverage();
  const renderer = createCertificateRenderer({ threads: 1 });
  try {
    progress('warming up');
    await render(renderer, options.warmUp);
    progress('measuring');
    const results = await render(renderer, options.seconds);
    await renderer.close();
    progress('asking the service');
    const served = await withCleanUp((cleanUp) => measureServed(options.proofs, nameOf, cleanUp));
    const { postgres: _, ...machine } = await describeMachine('not used');
    return {
      benchmark: 'certificates',
      machine,
      loadAverage: { start: startLoad, end: loadAverage() },
      setting: { threads: 1, asking, bundleBytes: bundle.length, seconds: options.seconds },
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
  } finally {
    await renderer.close();
  }
}

async function render(renderer: CertificateRenderer, seconds: number) {
  const blocks = watchBlocks();
  const latencies = createLatencies();
  const all = process.cpuUsage();
  const here = process.threadCpuUsage();
  const startedAt = performance.now();
  const end = startedAt + 1_000 * seconds;
  let bytes = 0;
  const ask = async () => {
    while (performance.now() < end) {
      const askedAt = performance.now();
      const pdf = await renderer.render(organisationId, nextContent(), bundle);
      bytes += pdf.length;
      latencies.record(performance.now() - askedAt);
    }
  };
  await Promise.all(Array.from({ length: asking }, ask));
  const longest = blocks.take();
  blocks.stop();
  const took = (performance.now() - startedAt) / 1_000;
  const threadMs = total(process.cpuUsage(all)) - total(process.threadCpuUsage(here));
  const { count, ...latencyMs } = latencies.summary();
  return {
    certificates: count,
    perSecond: round(count / took, 1),
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
  const sha256 = (text: string) => createHash('sha256').update(`${text} ${issued}`).digest('hex');
  const transactionHash = sha256('transaction').toUpperCase();
  return {
    templateVersion: 1,
    proofId: `01JZ8Q4C6K3W5T7R9X${String(issued).padStart(8, '0')}`,
    issuedAt: '2026-11-21T05:00:00.000Z',
    fileName: nameOf(issued),
    fileSizeBytes: 10_000 + issued,
    mimeType: 'application/pdf',
    fileHash: sha256('file'),
    hashScheme: 'hmac-sha256-nonce-v3',
    commitment: sha256('commitment'),
    nonce: sha256('nonce'),
    network: 'mainnet',
    standalone: false,
    transactionHash,
    ledgerIndex: 94_000_000 + issued,
    ledgerHash: sha256('ledger').toUpperCase(),
    closeTimeIso: '2026-11-21T04:40:50.000Z',
    account: 'rPT1Sjq2YGrBMTttX4GZHjKu9dyfzbpAYe',
    organisationName: 'Nordlicht Engineering GmbH',
    workspaceName: 'Contracts',
    revision: null,
    previousTransactionHash: null,
    verifyUrl: `https://proofmark.example/verify/${transactionHash}`,
    publicApiUrl: `https://proofmark.example/api/public/verify/${transactionHash}`,
    explorerUrl: `https://livenet.xrpl.org/transactions/${transactionHash}`,
  };
}

/** As large as real ones: transaction, metadata and header in hexadecimal. */
const bundle = Buffer.from(
  JSON.stringify(
    Array.from({ length: 100 }, (_, n) => createHash('sha256').update(`${n}`).digest('hex')),
  ),
);
