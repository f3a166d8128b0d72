import { commit } from '../../src/domain/proof/commit.ts';
import type { Digest } from '../../src/domain/proof/digest.ts';
import { certificateOf } from '../../src/pages/certificate.js';
import type { Findings } from '../../src/pages/findings.ts';
import type { Item } from '../../src/pages/given-file.ts';
import type { Answer, Verification } from '../../src/pages/verification.ts';
import { readBundle } from '../../src/verifier/bundle/read-bundle.ts';

type Read = NonNullable<Item['read']>;
let items = 0;

/** A file that the page has read. */
export function readItem(name: string, fileHash: string, read: Partial<Read> = {}): Item {
  items += 1;
  const none = { certificate: null, isConsistent: false, form: null, why: null };
  return {
    id: items,
    file: new File([], name),
    status: 'read',
    doneBytes: 0,
    read: { fileHash, ...none, ...read },
    reading: new AbortController(),
  };
}

/** A certificate that the page has read; its file hash is derived from its name. */
export function readCertificate(name: string, text: string, read: Partial<Read> = {}): Item {
  const certificate = certificateOf(readBundle(text));
  const fileHash = Buffer.from(name).toString('hex').padEnd(64, '0');
  return readItem(name, fileHash, { certificate, isConsistent: true, form: 'json', ...read });
}

/** The service's answer if the ledger holds exactly the data of this bundle. */
export function heldAs(text: string, change: Partial<Verification> = {}): Verification {
  const certificate = certificateOf(readBundle(text));
  const { transactionHash, network, standalone, ledgerIndex, account, memo } = certificate;
  return {
    ...{ transactionHash, standalone, ledgerIndex, account, verified: true },
    network: standalone ? 'standalone' : (network as Verification['network']),
    explorerUrl: `https://explorer.example/${transactionHash}`,
    ledgerCloseTime: certificate.closeTimeIso,
    memo: JSON.parse(memo),
    ...change,
  };
}

/**
 * The page's findings after all files are read and all answers arrived. The ledger server that the
 * reader named says the same as the service, unless `isServiceAlone`.
 */
export function findings(
  given: readonly Item[],
  held: readonly (Verification | Answer)[] = [],
  { isServiceAlone = false, ...more }: Partial<Findings> & { isServiceAlone?: boolean } = {},
): Findings {
  const answers = held.map((each) =>
    'found' in each ? each : { found: 'yes' as const, data: each },
  );
  const answerTo = (hash: string) =>
    answers.find((each) => each.found === 'yes' && each.data.transactionHash === hash) ??
    answers.find(({ found }) => found !== 'yes') ??
    null;
  const namedAnswerTo = (hash: string) => {
    const answer = answerTo(hash);
    if (answer?.found !== 'yes') return answer;
    return { found: 'yes' as const, data: { ...answer.data, server: 'ledger.example' } };
  };
  return {
    items: given,
    server: isServiceAlone ? null : 'ledger.example',
    namedAnswerTo,
    typedHash: null,
    typedNonce: null,
    answerTo,
    chainOf: () => null,
    commitmentOf: (nonce, fileHash) => commit(nonce, fileHash as Digest),
    ...more,
  };
}
