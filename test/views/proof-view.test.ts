import { test } from 'tap';
import { proofDecider } from '../../src/domain/proof/decider.ts';
import type { Digest } from '../../src/domain/proof/digest.ts';
import type { ProofEvent } from '../../src/domain/proof/events.ts';
import { isVisible, type ProofState } from '../../src/domain/proof/state.ts';
import type { OrganisationId, ProofId, WorkspaceId } from '../../src/domain/ulid.ts';
import { viewProof, viewProofStatus } from '../../src/views/proof-view.ts';

const nonce = '00'.repeat(32);
const fileHash = 'ab'.repeat(32) as Digest;
const transactionHash = 'CD'.repeat(32);
const requestedAt = '2026-01-02T03:04:05.678Z';

function fold(events: readonly ProofEvent[]) {
  const state = events.reduce(
    (now: ProofState, event) => proofDecider.evolve(now, { ...event, recordedAt: requestedAt }),
    proofDecider.initial,
  );
  if (!isVisible(state)) throw new Error(`the proof is ${state.status}`);
  return state;
}

function requested(hashScheme: 'sha256-plain-v1' | 'hmac-sha256-nonce-v2'): readonly ProofEvent[] {
  return proofDecider.request(
    {
      proofId: 'P' as ProofId,
      organisationId: 'O' as OrganisationId,
      workspaceId: 'W' as WorkspaceId,
      network: 'mainnet',
      hashScheme,
      fileHash,
      nonce,
      fileName: null,
      fileSizeBytes: null,
      mimeType: null,
      description: null,
      document: null,
    },
    null,
  ).proof;
}

const prepared: ProofEvent = {
  type: 'AnchorPrepared',
  data: {
    ledgerId: '0',
    transactionHash,
    blob: '',
    hashScheme: 'hmac-sha256-nonce-v2',
    previousTransactionHash: null,
    account: 'r',
    sequence: 1,
    feeDrops: 10,
    minLedger: 1,
    lastLedgerSequence: 9,
    replaces: null,
  },
};

const publicUrl = 'https://proofs.example';
const options = { withNonce: true, standalone: false, isAttested: false, publicUrl };

test('a pending proof has neither transaction nor explorer link, but the time of receipt', async (t) => {
  const state = fold(requested('hmac-sha256-nonce-v2'));
  t.strictSame(viewProofStatus(state, options, state.request), {
    proofId: 'P',
    txHash: null,
    verifyUrl: null,
    verifyPageUrl: null,
    certPath: '/api/v1/certificates/P',
    ledger: 'mainnet',
    standalone: false,
    ledgerIndex: null,
    requestedAt,
    timestamp: null,
    hashScheme: 'hmac-sha256-nonce-v2',
    proofCommitment: state.request.commitment,
    proofNonce: nonce,
    blockchainStatus: 'pending',
    evidence: 'pending',
    fileName: null,
    fileHash,
    fileSize: null,
    mimeType: null,
    description: null,
    metadata: {},
  });
});

test('a processing proof has its transaction, a completed one its ledger and close time', async (t) => {
  const events = [...requested('hmac-sha256-nonce-v2'), prepared];
  const processing = fold(events);
  const verifyUrl = `https://livenet.xrpl.org/transactions/${transactionHash}`;
  const verifyPageUrl = `https://proofs.example/verify/${transactionHash}`;
  const common = { txHash: transactionHash, verifyUrl, verifyPageUrl, requestedAt };
  t.match(viewProof(processing, options), { ...common, ledgerIndex: null, timestamp: null });
  const closeTimeIso = '2026-01-02T03:04:10.000Z';
  const anchored = proofDecider.recordAnchor(processing, {
    ledgerId: '0',
    transactionHash,
    ledgerIndex: 5,
    ledgerHash: '',
    closeTime: 1,
    closeTimeIso,
    transactionIndex: 0,
    metadata: '',
    ledgerHeader: '',
  });
  const completed = fold([...events, ...anchored.proof]);
  t.match(viewProof(completed, options), { ...common, ledgerIndex: 5, timestamp: closeTimeIso });
  const shown = viewProofStatus(completed, options, completed.request);
  t.match(shown, { blockchainStatus: 'completed', evidence: 'pending' });
  const attested = viewProofStatus(completed, { ...options, isAttested: true }, completed.request);
  t.strictSame(attested, { ...shown, evidence: 'attested' });
});

test('both links of the standalone ledger lead to our page, with or without a slash in the URL', async (t) => {
  const state = fold([...requested('hmac-sha256-nonce-v2'), prepared]);
  for (const publicUrl of ['https://x.example/p', 'https://x.example/p/']) {
    const shown = viewProof(state, { ...options, standalone: true, publicUrl });
    const page = `https://x.example/p/verify/${transactionHash}`;
    t.match(shown, { verifyUrl: page, verifyPageUrl: page, ledger: 'mainnet', standalone: true });
  }
});

test('the nonce is null unless it may be shown, and for plain proofs', async (t) => {
  const salted = fold(requested('hmac-sha256-nonce-v2'));
  t.equal(viewProof(salted, { ...options, withNonce: false }).proofNonce, null);
  const plain = viewProof(fold(requested('sha256-plain-v1')), options);
  t.strictSame([plain.proofNonce, plain.proofCommitment], [null, null]);
});
