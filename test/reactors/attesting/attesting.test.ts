import { hexToBytes } from '@noble/hashes/utils.js';
import { type Test, test } from 'tap';
import WebSocket from 'ws';
import { startWebSocketRelay } from '../../../ops/crash/websocket-relay.ts';
import type { LedgerAttested, ListReference } from '../../../src/domain/attestation/events.ts';
import { streams } from '../../../src/domain/streams.ts';
import { decodeBase64 } from '../../../src/verifier/evidence/base64.ts';
import { followChain } from '../../../src/verifier/evidence/header-chain.ts';
import { readHeader } from '../../../src/verifier/evidence/ledger-header.ts';
import { readManifest } from '../../../src/verifier/evidence/manifest.ts';
import { readValidation } from '../../../src/verifier/evidence/validation.ts';
import { verifyAttestation } from '../../../src/verifier/evidence/verify-attestation.ts';
import {
  type AttestingSite,
  createAttestingSite,
  listening,
} from '../../support/attesting-site.ts';

type Attested = LedgerAttested['data'];

/** What the offline verifier says of the recorded evidence: number of validators, or an error. */
async function verified(site: AttestingSite, data: Attested): Promise<number> {
  const [reference] = data.validatorLists;
  const list = await listOf(site, reference);
  const { counted } = verifyAttestation(
    readHeader(hexToBytes(data.ledgerHeader)),
    {
      validatorList: list,
      manifests: data.manifests.map((one) => readManifest(decodeBase64(one, 1_024, 'manifest'))),
      validations: data.validations.map((one) => readValidation(decodeBase64(one, 8_192, 'v'))),
    },
    [site.ledger.validatorList.publisherKey],
  );
  return counted.length;
}

async function listOf({ store }: AttestingSite, wanted: ListReference | undefined) {
  const events = await store.readStream(streams.validators('testnet'));
  for (const { type, data } of events) {
    if (type === 'ValidatorListPublished' && data.sequence === wanted?.sequence) return data;
  }
  throw new Error('the list is not on record');
}

/** The verified evidence of a ledger, through any number of links. */
async function prove(site: AttestingSite, index: number): Promise<{ at: number; signed: number }> {
  const event = await site.attested(index);
  if (event.type === 'LedgerAttested') {
    return { at: index, signed: await verified(site, event.data) };
  }
  const { next, links } = event.data;
  const proof = await prove(site, next.ledgerIndex);
  const connection = await headers(site, index);
  const last = followChain(connection, decodeBase64(links, 1_000_000, 'links'));
  if (last.hash.toUpperCase() !== next.ledgerHash) throw new Error('the links lead elsewhere');
  return proof;
}

async function headers(site: AttestingSite, ledger_index: number) {
  const socket = new WebSocket(site.ledger.url);
  const answer = await new Promise<string>((resolve, reject) => {
    socket.once('error', reject);
    socket.once('open', () => {
      socket.once('message', (data) => resolve(String(data)));
      socket.send(JSON.stringify({ id: 1, command: 'ledger', ledger_index, binary: true }));
    });
  });
  socket.terminate();
  return readHeader(hexToBytes(JSON.parse(answer).result.ledger.ledger_data));
}

test('a ledger with a transaction of ours is attested once, by all its validators', async (t) => {
  const site = await createAttestingSite(t);
  const first = await site.start();
  const second = await site.start();
  await listening(site);
  const without = await site.close();
  const index = await site.close('anchor');
  const event = await site.attested(index);
  t.equal(event.type, 'LedgerAttested');
  t.strictSame(await prove(site, index), { at: index, signed: 4 });
  await site.until(() => first.running.pending() + second.running.pending() === 0);
  t.equal(await site.attestationOf(without), null, 'other ledgers are not on record');
  t.equal(event.version, 1);
  t.equal(await site.store.versionOf(event.stream), 1, 'two processes record it once');
  const lists = await site.store.readStream(streams.validators('testnet'));
  t.equal(lists.length, 1, 'and the list once');
  t.strictSame([...first.errors, ...second.errors], []);
});

test('a ledger whose validations were missed is linked to the next attested one', async (t) => {
  const site = await createAttestingSite(t);
  const killed = await site.start();
  await listening(site);
  await killed.stop();
  const missed = [await site.close('anchor'), await site.close(), await site.close('anchor')];
  const next = await site.start();
  const [first = 0, , second = 0] = missed;
  await site.until(async () => {
    // Any later ledger will do, although it has no transaction of ours.
    await site.close();
    return (await site.attestationOf(first)) !== null;
  });
  const proofs = await Promise.all([prove(site, first), prove(site, second)]);
  t.equal(proofs[0]?.signed, 4);
  t.ok((proofs[0]?.at ?? 0) > second, 'validations of a later ledger');
  t.strictSame(proofs[0], proofs[1], 'both end at the same ledger');
  const event = await site.attested(first);
  if (event.type !== 'LedgerLinked') throw new Error('validations of it were never heard');
  // The older ledger is overdue first, so it may be linked before the other one can be.
  t.ok(event.data.next.ledgerIndex >= second);
  t.strictSame(next.errors, []);
});

test('three of four validations are no quorum; a later ledger attests', async (t) => {
  const site = await createAttestingSite(t);
  const { running } = await site.start();
  await listening(site);
  site.ledger.faults.missValidations([2], 2);
  const index = await site.close('anchor');
  await site.close();
  await site.until(() => running.pending() === 1);
  const later = await site.close();
  t.strictSame(await prove(site, index), { at: later, signed: 4 });
});

test('partial, forged and other validations do not count', async (t) => {
  const site = await createAttestingSite(t);
  await site.start();
  await listening(site);
  for (const lie of ['otherLedger', 'badSignature', 'partial'] as const) {
    site.ledger.faults.lieAsValidator(1, lie);
    const index = await site.close('anchor');
    site.ledger.faults.lieAsValidator(1, null);
    const later = await site.close();
    t.strictSame(await prove(site, index), { at: later, signed: 4 }, lie);
  }
});

test('late validations count', async (t) => {
  const site = await createAttestingSite(t);
  await site.start();
  await listening(site);
  site.ledger.faults.delayValidations(120);
  const index = await site.close('anchor');
  t.strictSame(await prove(site, index), { at: index, signed: 4 });
});

test('a validator that changes its key is recognised by its new manifest', async (t) => {
  const site = await createAttestingSite(t);
  const first = await site.start();
  await listening(site);
  await site.ledger.faults.rotateValidatorKey(0);
  const index = await site.close('anchor');
  t.strictSame(await prove(site, index), { at: index, signed: 4 }, 'from the stream');
  await first.stop();
  await site.ledger.faults.rotateValidatorKey(1);
  await site.start();
  await listening(site);
  const again = await site.close('anchor');
  t.strictSame(await prove(site, again), { at: again, signed: 4 }, 'by asking the server');
  await site.ledger.faults.publishList();
  await site.until(async () => {
    const events = await site.store.readStream(streams.validators('testnet'));
    return events.filter(({ type }) => type === 'ValidatorListPublished').length === 2;
  });
  const last = await site.close('anchor');
  const event = await site.attested(last);
  t.match(event.data, { validatorLists: [{ sequence: 2 }] });
  t.strictSame(await prove(site, last), { at: last, signed: 4 }, 'by the new list');
});

test('a silent server, a lying one and one without these streams do no harm', async (t) => {
  const site = await createAttestingSite(t);
  const silent = await liar(t, site, () => null);
  const lying = await liar(t, site, (message) =>
    message.type === 'validationReceived'
      ? { ...message, data: flipped(String(message.data)) }
      : { ...message, result: { ledger: { ledger_data: '00'.repeat(118) }, manifest: 'AAAA' } },
  );
  const poor = await liar(t, site, ({ id }) => ({ id, type: 'response', error: 'unknownCmd' }));
  const urls = [silent, lying, poor, site.ledger.url];
  const first = await site.start({ urls });
  await listening(site);
  await first.stop();
  const missed = await site.close('anchor');
  const { errors } = await site.start({ urls });
  await site.until(async () => {
    await site.close();
    return (await site.attestationOf(missed)) !== null;
  });
  t.equal((await prove(site, missed)).signed, 4);
  t.strictSame(errors, []);
});

test('reports a ledger that is not in the chain that the validators signed', async (t) => {
  const site = await createAttestingSite(t);
  const { forked, running } = await site.start();
  await listening(site);
  const index = await site.close();
  await site.anchor(index, `${index.toString(16).padStart(8, '0')}${'11'.repeat(114)}`);
  await site.close('anchor');
  await site.until(() => forked.length > 0);
  t.match(forked, [{ ledgerIndex: index }]);
  await site.until(() => running.pending() === 0);
  t.equal(forked.length, 1, 'once');
});

test('a list by another publisher, and none at all, are reported', async (t) => {
  const site = await createAttestingSite(t);
  const { url } = site.ledger.validatorList;
  const publisherKey = `ED${'AB'.repeat(32)}`;
  const lists = [
    { url, publisherKey },
    { url: `${url}/none`, publisherKey },
    { url: 'file:///no/such/list.json', publisherKey },
  ];
  const { listTroubles } = await site.start({ lists });
  await site.until(() => listTroubles.length === 3);
  t.strictSame(await site.store.readStream(streams.validators('testnet')), []);
});

function flipped(hex: string): string {
  return `${hex.slice(0, 80)}${hex[80] === '0' ? '1' : '0'}${hex.slice(81)}`;
}

/** A server that passes requests on, and changes or drops what comes back. */
async function liar(
  t: Test,
  site: AttestingSite,
  change: (message: Readonly<Record<string, unknown>>) => object | null,
): Promise<string> {
  const relay = await startWebSocketRelay(site.ledger.url, (send) => ({
    onMessage(message) {
      const changed = change(JSON.parse(message));
      if (changed !== null) send(JSON.stringify(changed));
    },
  }));
  t.teardown(() => relay.close());
  return relay.url;
}
