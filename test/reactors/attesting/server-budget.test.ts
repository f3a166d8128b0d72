import { bytesToHex } from '@noble/hashes/utils.js';
import { test } from 'tap';
import type { ValidatorMessage } from '../../../src/ledger/validator-feed.ts';
import { CollectedValidations } from '../../../src/reactors/attesting/collected-validations.ts';
import { KnownValidators } from '../../../src/reactors/attesting/known-validators.ts';
import { ManifestPace } from '../../../src/reactors/attesting/manifest-pace.ts';
import type { PublishDeps } from '../../../src/reactors/attesting/publish-validators.ts';
import { ReceivedMessages } from '../../../src/reactors/attesting/received-messages.ts';
import { ServerBudget } from '../../../src/reactors/attesting/server-budget.ts';
import {
  syntheticKey,
  syntheticNetwork,
  writeHeader,
  writeManifest,
  writeValidation,
} from '../../support/synthetic-network.ts';

const network = syntheticNetwork(4);
const closeTime = 800_000_000;
const header = writeHeader({ index: 100, closeTime });

function receiving() {
  const known = new KnownValidators([network.publisherKey]);
  const published = {
    network: 'testnet',
    publisherKey: network.publisherKey,
    sequence: 1,
  } as const;
  known.observe({ type: 'ValidatorListPublished', data: { ...published, ...network.list() } });
  const collected = new CollectedValidations(known);
  const exhausted: string[] = [];
  let now = 0;
  const budget = new ServerBudget(
    () => now,
    (server) => exhausted.push(server),
  );
  const asked: string[] = [];
  const manifest = async (key: string) => {
    asked.push(key);
    return null;
  };
  const pace = new ManifestPace(() => 0);
  const publishing = { known, pace } as unknown as PublishDeps;
  const messages = new ReceivedMessages({ feed: { manifest }, collected, publishing, budget });
  return {
    ...{ messages, collected, budget, exhausted, asked },
    pass: (ms: number) => {
      now += ms;
    },
  };
}

const from = (server: string, bytes: Uint8Array): ValidatorMessage => {
  return { kind: 'validation', data: bytesToHex(bytes), server };
};
const [genuine] = network.validations(header);
if (genuine === undefined) throw new Error('the network is empty');

/** Validations with a listed validator's key that it did not sign, each of another ledger. */
function forged(count: number): Uint8Array[] {
  return Array.from({ length: count }, (_, at) => {
    const bytes = Uint8Array.from(genuine?.bytes ?? []);
    const place = Buffer.from(bytes).indexOf(Buffer.from(header.hash, 'hex'));
    new DataView(bytes.buffer).setUint32(place, at + 1);
    return bytes;
  });
}

test('a server that sends many false signatures is passed over, and no other one', async (t) => {
  const { messages, collected, budget, exhausted, pass } = receiving();
  for (const bytes of forged(150)) await messages.receive(from('ws://liar', bytes));
  t.strictSame(exhausted, ['ws://liar']);
  const falseSignatures = 100;
  t.strictSame(budget.counts, [{ server: 'ws://liar', falseSignatures, passedOver: 50 }]);
  await messages.receive(from('ws://liar', genuine.bytes));
  const heard = () => collected.quorumOf({ ...header, closeTime });
  for (const { bytes } of network.validations(header).slice(1, 4))
    await messages.receive(from('ws://liar', bytes));
  t.equal(heard(), null, 'nothing of the server counts now');
  for (const { bytes } of network.validations(header))
    await messages.receive(from('ws://honest', bytes));
  t.equal(heard()?.validations.size, 4);
  pass(10_000);
  for (const bytes of forged(50)) await messages.receive(from('ws://liar', bytes));
  t.equal(budget.counts[0]?.falseSignatures, 110, 'one more is verified in each second');
  t.equal(exhausted.length, 1, 'reported once');
});

test('manifests with false signatures count as well', async (t) => {
  const { messages, budget } = receiving();
  const [validator] = network.validators;
  if (validator === undefined) throw new Error('the network is empty');
  const signing = syntheticKey('secp256k1', 'stolen');
  const master = { ...validator.master, sign: network.publisher.master.sign };
  const data = bytesToHex(writeManifest(master, signing, 2));
  for (let count = 0; count < 120; count += 1)
    await messages.receive({ kind: 'manifest', data, server: 'ws://liar' });
  t.match(budget.counts, [{ falseSignatures: 100, passedOver: 20 }]);
});

test('a server that invents keys does not keep the keys of others from being asked for', async (t) => {
  const { messages, asked } = receiving();
  const { bytes } = writeValidation(syntheticKey('secp256k1', 'unknown'), header);
  const key = syntheticKey('secp256k1', 'unknown').publicKey;
  const place = Buffer.from(bytes).indexOf(Buffer.from(key));
  for (let count = 0; count < 2_000; count += 1) {
    const invented = Uint8Array.from(bytes);
    new DataView(invented.buffer).setUint32(place + 4, count);
    await messages.receive(from('ws://liar', invented));
  }
  t.equal(asked.length, 500);
  await messages.receive(from('ws://honest', bytes));
  t.equal(asked.length, 501);
});
