import { test } from 'tap';
import { AnchorAudit } from '../../../../ops/audit/anchors/anchor-audit.ts';
import type { OpenRow } from '../../../../ops/audit/anchors/anchor-audit-options.ts';
import { Findings } from '../../../../ops/audit/findings/findings.ts';
import type { HashScheme } from '../../../../src/domain/proof/hash-scheme.ts';
import { UnreadableEvent } from '../../../../src/event-store/decode.ts';
import { sampleProof } from '../../../support/sample-bundle.ts';
import { WrittenLog } from '../../../support/written-log.ts';

const organisationId = '01M7XT7TZ4E5F6G7H8J9KAMBNC';
const past = { epochs: null, stream: null, hasRoot: () => false };

/** Transactions that were signed for the proof before the anchored one, and after it. */
interface Around {
  readonly before?: readonly object[];
  readonly change?: object;
  readonly after?: readonly object[];
}

/** The stored events of a proof, and their encrypted fields by type. */
function written(hashScheme: HashScheme, around: Around = {}) {
  const { content, evidence } = sampleProof({ hashScheme });
  const { proofId, network, commitment, fileHash, nonce, account, transactionHash } = content;
  const { ledgerIndex, ledgerHash, closeTimeIso, previousTransactionHash } = content;
  const { blob, metadata, ledgerHeader, closeTime, transactionIndex } = evidence;
  const ledgerId = '0';
  const log = new WrittenLog();
  const append = (type: string, data: object) =>
    log.append(`proof-${proofId}`, type, data, organisationId);
  append('ProofRequested', { proofId, organisationId, network, hashScheme, commitment });
  const signed = { ledgerId, transactionHash, account, sequence: 7, feeDrops: 10 };
  const range = { minLedger: ledgerIndex - 2, lastLedgerSequence: ledgerIndex + 2 };
  const clear = commitment === null ? {} : { blob };
  const prepared = { ...signed, ...range, hashScheme, previousTransactionHash, ...clear };
  for (const one of around.before ?? []) append('AnchorPrepared', { ...prepared, ...one });
  append('AnchorPrepared', { ...prepared, ...around.change });
  for (const one of around.after ?? []) append('AnchorPrepared', { ...prepared, ...one });
  const place = { ledgerId, transactionHash, ledgerIndex, ledgerHash, closeTime, closeTimeIso };
  append('Anchored', { ...place, transactionIndex, metadata, ledgerHeader });
  return { log, sealed: { ProofRequested: { fileHash, nonce }, AnchorPrepared: { blob } } };
}

async function faultsOf(log: WrittenLog, open: OpenRow | null): Promise<string> {
  const findings = new Findings();
  const anchors = new AnchorAudit({ ask: null, open, findings });
  for (const row of log.rows) await anchors.add(row, past);
  anchors.close();
  return findings
    .report()
    .faults.map(({ position, what }) => `${position} ${what}`)
    .join('\n');
}

/** Opens rows as the keys would, with these encrypted fields. */
function opening(sealed: Readonly<Record<string, object>>): OpenRow {
  return async ({ type, data }) => ({ ...JSON.parse(data), ...sealed[type] });
}

test('a plain proof is checked against its encrypted digest if the keys are there', async (t) => {
  const { log, sealed } = written('sha256-plain-v1');
  t.equal(await faultsOf(log, null), '', 'without keys');
  t.equal(await faultsOf(log, opening(sealed)), '', 'with keys');
  const other = { ...sealed, ProofRequested: { fileHash: '0'.repeat(64), nonce: null } };
  t.match(await faultsOf(log, opening(other)), /^3 transaction: .* memo/, 'a different digest');
  const { blob } = written('hmac-sha256-nonce-v3').sealed.AnchorPrepared;
  const wrong = { ...sealed, AnchorPrepared: { blob } };
  t.match(await faultsOf(log, opening(wrong)), /^3 transaction: .*\n3 transaction hash: /);
});

test('a salted commitment is recomputed if the keys are there', async (t) => {
  const { log, sealed } = written('hmac-sha256-nonce-v3');
  t.equal(await faultsOf(log, null), '');
  t.equal(await faultsOf(log, opening(sealed)), '');
  const { fileHash, nonce } = sealed.ProofRequested;
  for (const change of [
    { fileHash: '0'.repeat(64), nonce },
    { fileHash, nonce: '0'.repeat(64) },
    { fileHash, nonce: null },
  ]) {
    const other = opening({ ...sealed, ProofRequested: change });
    t.match(
      await faultsOf(log, other),
      /^1 commitment: the recorded commitment does not match the file hash/,
    );
  }
  const erased: OpenRow = async ({ data }) => JSON.parse(data);
  t.equal(await faultsOf(log, erased), '', 'destroyed keys');
  const broken: OpenRow = async (row) => {
    throw new UnreadableEvent(row, 'its sealed fields do not open');
  };
  t.match(await faultsOf(log, broken), /^1 event 1 .* its sealed fields do not open/);
});

const [other, third] = ['A1'.repeat(32), 'B2'.repeat(32)];
const hashScheme = 'hmac-sha256-nonce-v3';

test('whichever transaction of a Sequence is on the ledger, the others do not matter', async (t) => {
  const first = { transactionHash: other, feeDrops: 5, replaces: null };
  const before = written(hashScheme, { before: [first], change: { replaces: other } });
  t.equal(await faultsOf(before.log, null), '', 'the replacement');
  t.equal(await faultsOf(before.log, opening(before.sealed)), '', 'with keys');
  const { transactionHash } = sampleProof({ hashScheme }).content;
  const next = { transactionHash: other, feeDrops: 20, replaces: transactionHash };
  const last = { transactionHash: third, feeDrops: 30, replaces: other };
  t.equal(await faultsOf(written(hashScheme, { after: [next, last] }).log, null), '', 'the first');
  const expired = { transactionHash: other, sequence: 3 };
  t.equal(await faultsOf(written(hashScheme, { before: [expired] }).log, null), '', 'signed again');
});

test('a replacement that could be on the ledger beside the first transaction is a fault', async (t) => {
  const { transactionHash: replaces } = sampleProof({ hashScheme }).content;
  const next = { transactionHash: other, feeDrops: 20, replaces };
  for (const change of [
    { sequence: 8 },
    { account: 'rA' },
    { lastLedgerSequence: 1 },
    { feeDrops: 10 },
    { replaces: third },
  ]) {
    const { log } = written(hashScheme, { after: [{ ...next, ...change }] });
    t.match(await faultsOf(log, null), /A1A1 is recorded as a replacement/, JSON.stringify(change));
  }
  const { log } = written(hashScheme, { after: [{ transactionHash: other }] });
  t.match(await faultsOf(log, null), /differs from the transaction that was signed/);
});
