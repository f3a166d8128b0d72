import { bytesToHex } from '@noble/hashes/utils.js';
import { test } from 'tap';
import type { ValidatorEvent } from '../../../src/domain/attestation/events.ts';
import type { EventStore } from '../../../src/event-store/event-store.ts';
import { CollectedValidations } from '../../../src/reactors/attesting/collected-validations.ts';
import { KnownValidators } from '../../../src/reactors/attesting/known-validators.ts';
import { ManifestPace } from '../../../src/reactors/attesting/manifest-pace.ts';
import { ReceivedMessages } from '../../../src/reactors/attesting/received-messages.ts';
import { ServerBudget } from '../../../src/reactors/attesting/server-budget.ts';
import {
  syntheticKey,
  syntheticNetwork,
  writeHeader,
  writeManifest,
  writeValidation,
} from '../../support/synthetic-network.ts';

const network = syntheticNetwork(5);
const { publisherKey } = network;
const header = writeHeader({ index: 300, closeTime: 848_531_013 });
const server = 'wss://server.example';

/** Messages of one server; counts how often a validation is looked at. */
function receiving() {
  const known = new KnownValidators([publisherKey]);
  const published = { network: 'testnet', publisherKey, sequence: 1 } as const;
  known.observe({ type: 'ValidatorListPublished', data: { ...published, ...network.list() } });
  const collected = new CollectedValidations(known);
  let looks = 0;
  const counting = Object.assign(Object.create(collected), {
    add: (...args: Parameters<typeof collected.add>) => {
      looks += 1;
      return collected.add(...args);
    },
  });
  const recorded: ValidatorEvent[] = [];
  const append: EventStore['append'] = async (entries) => {
    recorded.push(...(entries.flatMap(({ events }) => events) as unknown as ValidatorEvent[]));
    return { firstPosition: 0, lastPosition: 0, eventIds: [], recordedAt: '' };
  };
  let folded = 0;
  const refresh = async () => {
    for (const event of recorded.slice(folded)) known.observe(event);
    folded = recorded.length;
    return folded;
  };
  const messages = new ReceivedMessages({
    feed: { manifest: async () => null },
    collected: counting,
    publishing: {
      ...{ store: { append } as EventStore, network: 'testnet', known, refresh },
      pace: new ManifestPace(Date.now),
    },
    budget: new ServerBudget(
      () => 0,
      () => {},
    ),
  });
  const validation = (key: ReturnType<typeof syntheticKey>) =>
    messages.receive({
      ...{ server, kind: 'validation' },
      data: bytesToHex(writeValidation(key, header).bytes),
    });
  const manifest = (bytes: Uint8Array) =>
    messages.receive({ server, kind: 'manifest', data: bytesToHex(bytes) });
  return { collected, validation, manifest, looks: () => looks };
}

test('repeated manifests make no work, although validations of unknown keys wait', async (t) => {
  const { collected, validation, manifest, looks } = receiving();
  for (let nth = 0; nth < 20; nth += 1) {
    await validation(syntheticKey('secp256k1', `unknown ${nth}`));
  }
  const [first] = network.validators;
  if (first === undefined) throw new Error('five validators were made');
  await manifest(first.manifest);
  const before = looks();
  for (let nth = 0; nth < 10; nth += 1) await manifest(first.manifest);
  t.equal(looks(), before);

  const rotated = syntheticKey('secp256k1', 'rotated');
  await validation(rotated);
  for (const { signing } of network.validators.slice(1, 4)) await validation(signing);
  t.equal(collected.quorumOf(header), null);
  await manifest(writeManifest(first.master, rotated, 2));
  t.equal(collected.quorumOf(header)?.validations.size, 4, 'waiting validations count after news');
});
