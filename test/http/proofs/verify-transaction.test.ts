import { test } from 'tap';
import type { DomainEvent } from '../../../src/domain/events.ts';
import { checkpointMemo } from '../../../src/domain/log/checkpoint-memo.ts';
import { checkpointMemoType, proofMemo, proofMemoType } from '../../../src/domain/proof/memo.ts';
import { streams } from '../../../src/domain/streams.ts';
import { newUlid } from '../../../src/event-store/new-ulid.ts';
import type { LookUpPace } from '../../../src/http/proofs/paced-look-ups.ts';
import { verification } from '../../../src/http/proofs/verification.ts';
import type { LedgerGateway, TransactionLookup } from '../../../src/ledger/contract.ts';
import { startHttpService } from '../../support/http-service.ts';
import { onThisMachine } from '../../support/on-this-machine.ts';
import {
  anchoredAt,
  anchoringAccount,
  createScriptedAnchoring,
  randomDigest,
  randomHash,
} from '../../support/scripted-anchoring.ts';
import { connected, createScriptedGateway } from '../../support/scripted-gateway.ts';

type Validated = Extract<TransactionLookup, { found: 'validated' }>;

const fileHash = randomDigest();
const ours: Validated = {
  found: 'validated',
  ledgerIndex: 7,
  ledgerHash: randomHash(),
  closeTime: anchoredAt.closeTime,
  result: 'tesSUCCESS',
  account: anchoringAccount,
  memos: [proofMemo({ fileHash, hashScheme: 'sha256-plain-v1' })],
};

/** A service on two networks with one proof of its own, anchored on testnet. */
async function start(
  t: Parameters<typeof startHttpService>[0],
  options: {
    standalone?: boolean;
    hashScheme?: string;
    currentLedgerId?: string;
    lookUpPace?: LookUpPace;
  } = {},
) {
  let lookUps = 0;
  const counted = (gateway: LedgerGateway): LedgerGateway => ({
    ...gateway,
    lookUp(hash, range) {
      lookUps += 1;
      return gateway.lookUp(hash, range);
    },
  });
  const testnet = createScriptedGateway('testnet');
  const mainnet = createScriptedGateway('mainnet');
  const { currentLedgerId, lookUpPace } = options;
  const service = await startHttpService(t, {
    services: {
      ledger: {
        gateways: [mainnet, testnet].map(counted),
        ownAccounts: [{ network: 'mainnet', address: anchoringAccount }],
        ...(currentLedgerId && { currentLedgerId: () => currentLedgerId }),
        ...(lookUpPace && { lookUpPace }),
      },
    },
  });
  const anchoring = await createScriptedAnchoring(service.store, options);
  const { key, workspaceId } = await service.openOrganisation();
  const hash = randomDigest();
  const json = { hash, workspace: workspaceId, hashScheme: options.hashScheme };
  const posting = service.call('POST', '/proofs', { key, json });
  await anchoring.anchor(await anchoring.requested(1));
  const proof = (await posting).body.data;
  const verify = (txHash: string) => service.call('GET', `/api/public/verify/${txHash}`);
  /** The transaction as on the ledger. */
  const anchored = async (): Promise<Validated> => {
    const [event] = await service.store.readLog(0, 100, ['Anchored']);
    if (event?.type !== 'Anchored') throw new Error('nothing is anchored');
    const { ledgerIndex, ledgerHash } = event.data;
    return { ...ours, ledgerIndex, ledgerHash };
  };
  const asked = () => lookUps;
  return { service, anchoring, testnet, mainnet, proof, hash, verify, anchored, asked };
}

test('a proof verifies from its record as soon as its post is answered, with a hash in either case', async (t) => {
  const { proof, verify, service, testnet, anchored } = await start(t);
  testnet.answers.set(proof.txHash, await anchored());
  for (const txHash of [proof.txHash, proof.txHash.toLowerCase()]) {
    const { status, body, headers } = await verify(txHash);
    t.equal(status, 200);
    t.strictSame(verification.strict().parse(body.data), body.data);
    t.strictSame(body, {
      success: true,
      data: {
        transactionHash: proof.txHash,
        txHash: proof.txHash,
        network: 'testnet',
        verified: true,
        explorerUrl: proof.verifyUrl,
        verifyPageUrl: `${service.url}/verify/${proof.txHash}`,
        ledgerIndex: 101,
        ledgerCloseTime: anchoredAt.closeTimeIso,
        memo: { fileHash: proof.proofCommitment, hashScheme: 'hmac-sha256-nonce-v3' },
        account: anchoringAccount,
        standalone: false,
      },
    });
    t.equal(headers.get('access-control-allow-origin'), '*');
  }
  t.notMatch(service.log.join('\n'), proof.txHash, 'paths are not logged');
});

test("the ledger's answer for our own proof can only contradict the record", async (t) => {
  const { proof, verify, testnet, anchored } = await start(t);
  const truth = await anchored();
  const contradicts = 'LEDGER_CONTRADICTS';
  const failed = 'TRANSACTION_FAILED';
  const rows: [TransactionLookup | 'unavailable' | 'silent', boolean, RegExp?, string?][] = [
    [truth, true],
    [{ found: 'absent', searchedAll: false }, true],
    [{ found: 'unvalidated' }, true],
    ['unavailable', true],
    ['silent', true],
    [{ ...truth, ledgerIndex: 102 }, false, /ledger other than/, contradicts],
    [{ ...truth, ledgerHash: randomHash() }, false, /ledger other than/, contradicts],
    [{ ...truth, result: 'tecUNFUNDED' }, false, /tecUNFUNDED/, failed],
    [{ found: 'absent', searchedAll: true }, false, /101/, contradicts],
  ];
  for (const [answer, verified, reason, reasonCode] of rows) {
    testnet.answers.set(proof.txHash, answer);
    const started = performance.now();
    const { body } = await verify(proof.txHash);
    const expected = { verified, ...(reason && { reason, reasonCode }) };
    t.match(body.data, expected, JSON.stringify(answer));
    t.equal('reason' in body.data, !verified);
    t.ok(performance.now() - started < (await onThisMachine(3_000)));
  }
  testnet.status.next({ connected: false, reason: 'gone' });
  t.match((await verify(proof.txHash)).body.data, { verified: true });
  testnet.status.next({ ...connected, standalone: true });
  t.match((await verify(proof.txHash)).body.data, {
    verified: false,
    reason: /reset/,
    reasonCode: 'LEDGER_RESET',
  });
});

test('a plain proof shows the digest itself, and the standalone ledger links to a page of this service', async (t) => {
  const options = { standalone: true, hashScheme: 'sha256-plain-v1' };
  const { proof, hash, verify, testnet, service } = await start(t, options);
  testnet.status.next({ ...connected, standalone: true });
  testnet.answers.set(proof.txHash, 'unavailable');
  t.match((await verify(proof.txHash)).body.data, {
    verified: true,
    memo: { fileHash: hash, hashScheme: 'sha256-plain-v1' },
    standalone: true,
    network: 'standalone',
    explorerUrl: `${service.url}/verify/${proof.txHash}`,
    verifyPageUrl: `${service.url}/verify/${proof.txHash}`,
  });
  t.equal(proof.verifyUrl, `${service.url}/verify/${proof.txHash}`);
  t.equal((await fetch(proof.verifyUrl)).status, 200);
});

test('a revision shows the previous transaction, from the record and from the ledger', async (t) => {
  const { service, anchoring, proof, verify, mainnet } = await start(t);
  const { key, workspaceId } = await service.openOrganisation();
  const json = { hash: randomDigest(), workspace: workspaceId, hashScheme: 'sha256-plain-v1' };
  const posting = service.call('POST', '/proofs', { key, json });
  const proofId = await anchoring.requested(2);
  await anchoring.prepare(proofId, proof.txHash);
  const { transactionHash } = await anchoring.anchor(proofId);
  await posting;
  const memo = { fileHash: json.hash, hashScheme: json.hashScheme, previous: proof.txHash };
  t.strictSame((await verify(transactionHash)).body.data.memo, memo);
  const foreign = randomHash();
  mainnet.answers.set(foreign, {
    ...ours,
    memos: [proofMemo({ ...memo, hashScheme: 'sha256-plain-v1' })],
  });
  t.match((await verify(foreign)).body.data, { verified: true, memo });
});

test('a proof on a reset ledger does not verify, with the reason', async (t) => {
  const { proof, verify, testnet, anchoring, service } = await start(t);
  testnet.answers.set(proof.txHash, 'unavailable');
  t.match((await verify(proof.txHash)).body.data, { verified: true });
  const { ledgerId } = anchoring;
  const stream = streams.ledger(ledgerId);
  const events = [{ type: 'LedgerGone', data: { ledgerId } }] as const;
  const { lastPosition } = await service.store.append(
    [{ organisationId: null, stream, expectedVersion: 1, events }],
    { actor: 'operator' },
  );
  t.ok(lastPosition > 0);
  await service.call('GET', `/api/public/verify/${randomHash()}`);
  t.match((await verify(proof.txHash)).body.data, { verified: false, reason: /reset/ });

  const other = await start(t, { currentLedgerId: '1-ANOTHER' });
  other.testnet.answers.set(other.proof.txHash, 'unavailable');
  t.match((await other.verify(other.proof.txHash)).body.data, { verified: false, reason: /reset/ });
});

test("a transaction not on record is judged by a network's answer", async (t) => {
  const { verify, mainnet, service } = await start(t);
  const memo = { fileHash, hashScheme: 'sha256-plain-v1' };
  const proofLike = ours.memos[0] ?? { type: '', format: '', data: '' };
  const stranger = { account: 'rrrrrrrrrrrrrrrrrrrrrhoLvTp' };
  const [foreign, failed, malformed] = ['FOREIGN_ACCOUNT', 'TRANSACTION_FAILED', 'MALFORMED_MEMO'];
  const checkpoint = { origin: `proofmark/${newUlid()}`, size: 12, rootHash: fileHash };
  const rows: [string, Partial<Validated>, string | undefined, object | null][] = [
    ['ours', {}, undefined, memo],
    ['of another account', stranger, foreign, memo],
    ['failed', { result: 'tecNO_DST' }, failed, memo],
    ['without a memo', { memos: [] }, malformed, null],
    ['with two memos', { memos: [proofLike, proofLike] }, malformed, memo],
    ['a checkpoint', { memos: [checkpointMemo(checkpoint)] }, malformed, checkpoint],
    [
      'called a checkpoint',
      { memos: [{ ...proofLike, type: checkpointMemoType }] },
      malformed,
      memo,
    ],
    ['no JSON', { memos: [{ ...proofLike, data: 'x' }] }, malformed, null],
    ['no object', { memos: [{ ...proofLike, data: '[]' }] }, malformed, null],
    ['other JSON', { memos: [{ ...proofLike, data: '{"a":1}' }] }, malformed, { a: 1 }],
  ];
  for (const [what, change, reasonCode, expected] of rows) {
    const verified = reasonCode === undefined;
    const hash = randomHash();
    mainnet.answers.set(hash, { ...ours, ...change });
    const { status, body } = await verify(hash);
    t.equal(status, 200, what);
    t.strictSame(verification.strict().parse(body.data), body.data, what);
    const { reason, ...data } = body.data;
    t.equal(typeof reason, verified ? 'undefined' : 'string', what);
    t.strictSame(data, {
      transactionHash: hash,
      txHash: hash,
      network: 'mainnet',
      verified,
      explorerUrl: `https://livenet.xrpl.org/transactions/${hash}`,
      verifyPageUrl: `${service.url}/verify/${hash}`,
      ledgerIndex: 7,
      ledgerCloseTime: anchoredAt.closeTimeIso,
      memo: expected,
      account: anchoringAccount,
      standalone: false,
      ...(!verified && { reasonCode }),
      ...(what === 'of another account' && stranger),
    });
  }
  t.equal(proofLike.type, proofMemoType);
  t.notMatch(service.log.join('\n'), /"level":50/);
});

test('a former anchoring account of the service is known from the log', async (t) => {
  const { verify, testnet, service, anchoring } = await start(t);
  const hash = randomHash();
  testnet.answers.set(hash, ours);
  t.match((await verify(hash)).body.data, { verified: false, reason: /account/ });
  const data = { ledgerId: anchoring.ledgerId, account: anchoringAccount, taken: [] };
  const stream = streams.account(anchoring.ledgerId, anchoringAccount);
  const events = [{ type: 'SequencesTaken', data }] as const;
  const own = (expectedVersion: number, more: readonly DomainEvent[]) =>
    service.store.append([{ organisationId: null, stream, expectedVersion, events: more }], {
      actor: 'anchoring',
    });
  const taken = [{ sequence: 1, checkpointSize: 5 }];
  await own(0, [{ type: 'SequencesTaken', data: { ...data, taken } }]);
  t.match((await verify(hash)).body.data, { verified: false }, 'the account of checkpoints');
  await own(1, events);
  t.match((await verify(hash)).body.data, { verified: true });
});

test('an unvalidated transaction is 404, or 502 if a network did not answer', async (t) => {
  const { verify, testnet, mainnet, service } = await start(t);
  const hash = randomHash();
  const expectAnswer = async (status: number, code: string) =>
    t.match(await verify(hash), { status, body: { success: false, code } });
  await expectAnswer(404, 'TRANSACTION_NOT_FOUND');
  testnet.answers.set(hash, { found: 'unvalidated' });
  await expectAnswer(404, 'TRANSACTION_NOT_FOUND');
  testnet.answers.set(hash, { found: 'absent', searchedAll: false });
  await expectAnswer(404, 'TRANSACTION_NOT_FOUND');
  mainnet.answers.set(hash, 'unavailable');
  await expectAnswer(502, 'XRPL_ERROR');
  testnet.answers.set(hash, ours);
  t.match(await verify(hash), { status: 200 }, 'another network has the transaction');
  for (const bad of ['x', hash.slice(1), `${hash}0`, `${hash.slice(1)}G`, '%00', '%ZZ']) {
    const answer = await service.call('GET', `/api/public/verify/${bad}`);
    t.match(answer, { status: 400, body: { code: 'INVALID_TX_HASH' } }, bad);
  }
});

test('ledgers are asked at most at the configured pace', async (t) => {
  const { testnet, verify, proof, anchored, asked } = await start(t, {
    lookUpPace: { perSecond: 0.001, burst: 5 },
  });
  testnet.answers.set(proof.txHash, await anchored());
  const codes = [];
  for (let i = 0; i < 4; i += 1) codes.push((await verify(randomHash())).body.code);
  t.strictSame(codes, [
    ...['TRANSACTION_NOT_FOUND', 'TRANSACTION_NOT_FOUND'],
    ...['XRPL_ERROR', 'XRPL_ERROR'],
  ]);
  t.equal(asked(), 5, 'two networks');
  t.match(await verify(proof.txHash), { status: 200, body: { data: { verified: true } } });
  t.equal(asked(), 5, 'our own proof verifies from its record');
});
