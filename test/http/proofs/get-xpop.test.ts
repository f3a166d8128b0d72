import { type Test, test } from 'tap';
import { xpopResponse } from '../../../src/http/proofs/xpop-schema.ts';
import { encodeBase64 } from '../../../src/verifier/evidence/base64.ts';
import { readXpop } from '../../../src/verifier/xpop/read-xpop.ts';
import { verifyXpop } from '../../../src/verifier/xpop/verify-xpop.ts';
import {
  anchorInLedger,
  recordAttested,
  recordLinked,
  recordList,
} from '../../support/attested-ledger.ts';
import { joinHttpService, startHttpService } from '../../support/http-service.ts';
import { createScriptedAnchoring, randomDigest } from '../../support/scripted-anchoring.ts';
import {
  type SyntheticNetwork,
  type SyntheticSigner,
  syntheticNetwork,
  syntheticSigner,
  writeList,
  writeValidation,
} from '../../support/synthetic-network.ts';
import { verifyByXls41 } from '../../support/xls-41.ts';

/** `ownLog`: with lists of validators that no other test records. */
async function createSite(t: Test, { ownLog = false, threads = false } = {}) {
  const service = await (ownLog ? startHttpService : joinHttpService)(t, { threads });
  const { store } = service;
  const { ledgerId } = await createScriptedAnchoring(store);
  const { key, workspaceId } = await service.openOrganisation();
  return {
    service,
    store,
    ledgerId,
    key,
    async request(hashScheme = 'hmac-sha256-nonce-v3') {
      const json = { hash: randomDigest(), workspace: workspaceId, hashScheme };
      const headers = { prefer: 'respond-async' };
      const { body } = await service.call('POST', '/proofs', { key, json, headers });
      return body.data.proofId;
    },
    get: (path: string, withKey = key) => service.call('GET', path, { key: withKey }),
  };
}

function validationsOf(signers: readonly SyntheticSigner[]): SyntheticNetwork['validations'] {
  return (ledger) => signers.map(({ signing }) => writeValidation(signing, ledger));
}

test('an attested proof is exported as an XPOP that other verifiers accept', async (t) => {
  const { store, ledgerId, request, get } = await createSite(t, { threads: true });
  const network = syntheticNetwork(12, 'twelve');
  const lists = [await recordList(store, network.list())];
  const [salted, plain] = [await request(), await request('sha256-plain-v1')];
  const ledger = await anchorInLedger(store, [salted, plain], { ledgerId, index: 700 });
  await recordAttested(store, ledger, network, { lists });
  for (const proofId of [salted, plain]) {
    const { txHash } = (await get(`/proofs/${proofId}`)).body.data;
    for (const form of ['list', 'tree']) {
      const answer = await get(`/proofs/${proofId}/xpop?form=${form}`);
      t.equal(answer.status, 200, answer.text);
      t.equal(
        answer.headers.get('content-disposition'),
        `attachment; filename="xpop-${proofId}.json"`,
      );
      t.strictSame(xpopResponse.parse(answer.body), answer.body);
      t.equal(verifyByXls41(answer.text, network.publisherKey), txHash, form);
      const found = verifyXpop(readXpop(answer.text), [network.publisherKey]);
      t.equal(found.counted.length, 12);
      t.equal(found.ledger.index, 700);
      t.equal(Array.isArray(answer.body.transaction.proof), form === 'list');
    }
    t.equal((await get(`/proofs/${proofId}/xpop?form=leaf`)).status, 400);
  }
});

test('an XPOP is refused with the reason until the proof is attested', async (t) => {
  const { store, ledgerId, request, get } = await createSite(t);
  const network = syntheticNetwork(5);
  const lists = [await recordList(store, network.list())];
  const proofId = await request();
  const xpop = () => get(`/proofs/${proofId}/xpop`);
  t.match(await xpop(), { status: 409, body: { code: 'PROOF_NOT_ANCHORED' } });
  const ledger = await anchorInLedger(store, [proofId], { ledgerId, index: 700 });
  t.match(await xpop(), {
    status: 409,
    body: { code: 'PROOF_NOT_ATTESTED', message: /for ledger 700 yet; try again in a few seconds/ },
  });
  await recordAttested(store, ledger, network, { lists });
  t.equal((await xpop()).status, 200);
});

test('the attestation of another ledger of the same index does not count', async (t) => {
  const { store, ledgerId, request, get } = await createSite(t);
  const network = syntheticNetwork(5);
  const lists = [await recordList(store, network.list())];
  const proofId = await request();
  await anchorInLedger(store, [proofId], { ledgerId, index: 700 });
  const other = await anchorInLedger(store, [], { ledgerId, index: 700, others: 0 });
  await recordAttested(store, other, network, { lists });
  const answer = await get(`/proofs/${proofId}/xpop`);
  t.match(answer, { status: 409, body: { code: 'PROOF_NOT_ATTESTED' } });
});

test('evidence that XLS-41 cannot express is refused, and the bundle named', async (t) => {
  const { store, ledgerId, request, get } = await createSite(t, { ownLog: true });
  const network = syntheticNetwork(5);
  const lists = [await recordList(store, network.list())];
  const [linked, rotated] = [await request(), await request()];
  const first = await anchorInLedger(store, [linked], { ledgerId, index: 700 });
  await recordLinked(store, first, 3);
  t.match(await get(`/proofs/${linked}/xpop`), {
    status: 409,
    body: {
      code: 'XPOP_NOT_POSSIBLE',
      message: /ledger 700 .* validators of ledger 703 and the headers .* use the proof bundle/,
    },
  });

  const second = await anchorInLedger(store, [rotated], { ledgerId, index: 710 });
  const newer = network.validators.map((_, place) =>
    syntheticSigner(`network validator ${place}`, place < 2 ? 2 : 1),
  );
  await recordAttested(store, second, { ...network, validations: validationsOf(newer) }, { lists });
  t.match(await get(`/proofs/${rotated}/xpop`), {
    status: 409,
    body: { code: 'XPOP_NOT_POSSIBLE', message: /newer keys/ },
  });
  await recordList(store, writeList(network.publisher, newer, { sequence: 2 }), 2);
  const answer = await get(`/proofs/${rotated}/xpop`);
  t.equal(answer.status, 200, 'a later list with the newer keys was in force as well');
  t.ok(verifyByXls41(answer.text, network.publisherKey));
});

test('a malformed validation on record is left out, and the others count', async (t) => {
  const { store, ledgerId, request, get } = await createSite(t);
  const network = syntheticNetwork(5);
  const lists = [await recordList(store, network.list())];
  const [proofId, without] = [await request(), await request()];
  const ledgers = [
    await anchorInLedger(store, [proofId], { ledgerId, index: 700 }),
    await anchorInLedger(store, [without], { ledgerId, index: 710 }),
  ];
  for (const [nth, ledger] of ledgers.entries()) {
    const whole = network
      .validations(ledger.header, 4 - nth)
      .map(({ bytes }) => encodeBase64(bytes));
    for (const malformed of [['AAAA'], ['no base64'], ['']]) whole.unshift(...malformed);
    await recordAttested(store, ledger, network, { lists, change: { validations: whole } });
  }
  const answer = await get(`/proofs/${proofId}/xpop`);
  t.equal(answer.status, 200, answer.text);
  t.ok(verifyByXls41(answer.text, network.publisherKey));
  t.match(await get(`/proofs/${without}/xpop`), {
    status: 409,
    body: { code: 'XPOP_NOT_POSSIBLE' },
  });
});

test('of many newer lists only the next few are tried', async (t) => {
  const { store, ledgerId, request, get } = await createSite(t, { ownLog: true });
  const network = syntheticNetwork(5);
  const lists = [await recordList(store, network.list())];
  const proofId = await request();
  const ledger = await anchorInLedger(store, [proofId], { ledgerId, index: 700 });
  const newer = network.validators.map((_, place) =>
    syntheticSigner(`network validator ${place}`, place < 2 ? 2 : 1),
  );
  await recordAttested(store, ledger, { ...network, validations: validationsOf(newer) }, { lists });
  for (let sequence = 2; sequence <= 5; sequence += 1) {
    await recordList(store, network.list({ sequence }), sequence);
  }
  await recordList(store, writeList(network.publisher, newer, { sequence: 6 }), 6);
  t.match(await get(`/proofs/${proofId}/xpop`), {
    status: 409,
    body: { code: 'XPOP_NOT_POSSIBLE', message: /newer keys/ },
  });
});

test('proofs of other organisations, unknown and malformed ids are refused', async (t) => {
  const { service, store, ledgerId, request, get } = await createSite(t);
  const network = syntheticNetwork(5);
  const lists = [await recordList(store, network.list())];
  const proofId = await request();
  const ledger = await anchorInLedger(store, [proofId], { ledgerId, index: 700 });
  await recordAttested(store, ledger, network, { lists });
  const other = await service.openOrganisation();
  const stranger = await get(`/proofs/${proofId}/xpop`, other.key);
  t.match(stranger, { status: 404, body: { code: 'PROOF_NOT_FOUND' } });
  const unknown = await get('/proofs/01M7XT7TX5VQ3R4S5T6V7W8X9Y/xpop');
  t.match(unknown, { status: 404, body: { code: 'PROOF_NOT_FOUND' } });
  t.equal(stranger.body.message, unknown.body.message, 'they cannot be told apart');
  t.match(await get('/proofs/1/xpop'), { status: 400, body: { code: 'INVALID_PROOF_ID' } });
  t.equal((await service.call('GET', `/proofs/${proofId}/xpop`)).status, 401);
});

test('an XPOP counts as several requests', async (t) => {
  const { service, request, get } = await createSite(t);
  const proofId = await request();
  const { organisationId } = await service.openOrganisation();
  const poor = await service.issueKey(organisationId, { requestsPerMinute: 15 });
  t.equal((await get(`/proofs/${proofId}/xpop`, poor)).status, 404);
  t.equal((await get(`/proofs/${proofId}/xpop`, poor)).status, 429);
});
