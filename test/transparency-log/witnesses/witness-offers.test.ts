import { test } from 'tap';
import { KnownKeys } from '../../../ops/audit/checkpoints/known-keys.ts';
import { checkWitnesses } from '../../../src/certificates/check-witnesses.ts';
import { openCheckpoint } from '../../../src/transparency-log/checkpoint/checkpoint.ts';
import { noteSigner } from '../../../src/transparency-log/checkpoint/note-key.ts';
import { currentOrigin } from '../../../src/transparency-log/current-origin.ts';
import { CheckpointChoice } from '../../../src/transparency-log/inclusion/checkpoint-choice.ts';
import { Publisher } from '../../../src/transparency-log/publish/publisher.ts';
import {
  addCosignature,
  recentCosigned,
} from '../../../src/transparency-log/published/cosigned-checkpoints.ts';
import { proveConsistency } from '../../../src/transparency-log/tree/consistency-proof.ts';
import {
  type ReachableWitness,
  WitnessClient,
} from '../../../src/transparency-log/witnesses/witness-client.ts';
import { readWitnessCoverage } from '../../../src/transparency-log/witnesses/witness-coverage.ts';
import { WitnessOffers } from '../../../src/transparency-log/witnesses/witness-offers.ts';
import { findCosignatures } from '../../../src/verifier/log/find-cosignatures.ts';
import { readLogKey } from '../../../src/verifier/log/note-key.ts';
import { parsePolicy } from '../../../src/verifier/log/policy.ts';
import { readSignedNote } from '../../../src/verifier/log/signed-note.ts';
import { forkedLog } from '../../support/forked-log.ts';
import { logSeed, openPublishingSite } from '../../support/publishing-site.ts';
import { sampleBundle } from '../../support/sample-bundle.ts';
import { nodesOf, sampleLeaves } from '../../support/sample-tree.ts';
import {
  policyText,
  reachable,
  sampleCosigner,
  startPretender,
  startWitness,
} from '../../support/witness-servers.ts';

type Site = Awaited<ReturnType<typeof openPublishingSite>>;

async function openSite(t: Parameters<typeof openPublishingSite>[0]) {
  const site = await openPublishingSite(t);
  const origin = await currentOrigin(site.database.store);
  const key = readLogKey(noteSigner(origin, logSeed).vkey);
  if (key === null) throw new Error('no key');
  return { site, key, publisher: new Publisher(site.options) };
}

function offersOf(
  { database, options }: Site,
  witnesses: readonly ReachableWitness[],
  more: { readonly timeoutMs?: number; readonly nowMs?: () => number } = {},
) {
  const said: string[] = [];
  const errors: unknown[] = [];
  const offers = new WitnessOffers({
    onError: (error) => errors.push(error),
    ...{ db: database.db, published: options.published, witnesses, ...more },
    onTrouble: (name, error) => said.push(`${name} ${(error as Error).message}`),
    onRecovered: (name) => said.push(`${name} is back`),
  });
  const offer = async () => {
    offers.offer();
    await offers.settled();
  };
  return { offers, offer, said, errors };
}

test('every checkpoint gets the cosignatures of all witnesses, also after a restart', async (t) => {
  const { site, key, publisher } = await openSite(t);
  const { db } = site.database;
  const witnesses = await Promise.all([0, 1].map((n) => startWitness(t, n, [key])));
  const policy = parsePolicy(policyText(witnesses, 2));
  const choice = new CheckpointChoice(db, policy);
  t.equal(await choice.newest(), null);
  const first = offersOf(site, witnesses);
  await first.offer();
  t.strictSame(first.said, [], 'nothing is published yet');
  for (const count of [3, 300, 41]) {
    await site.append(count);
    await publisher.publish();
    await first.offer();
    const note = (await choice.newest())?.note ?? '';
    t.match(findCosignatures(note, policy), { cosigned: [{}, {}], hasQuorum: true });
    t.match(openCheckpoint(note, [key]), { status: 'verified' });
  }
  await first.offer();
  await site.append(7);
  await publisher.publish();
  // A process that has just started does not know what the witnesses have cosigned: they answer 409.
  const restarted = offersOf(site, witnesses);
  await restarted.offer();
  t.strictSame([first.said, restarted.said], [[], []]);
  const rows = await recentCosigned(db, 10);
  t.strictSame(
    rows.map(({ cosignatures }) => cosignatures.length),
    [2, 2, 2, 2],
  );
  await t.rejects(db.deleteFrom('checkpoint_cosignatures').execute(), /append-only/);
});

test('dead, slow, lying and endless witnesses delay nothing, and are named', async (t) => {
  const { site, key, publisher } = await openSite(t);
  await site.append(5);
  await publisher.publish();
  const [row] = await recentCosigned(site.database.db, 1);
  const { text } = readSignedNote(row?.note ?? '') as NonNullable<
    ReturnType<typeof readSignedNote>
  >;
  const other = sampleCosigner(99).cosign(text, 1_700_000_000);
  const forAnother = sampleCosigner(6).cosign(`${text}more\n`, 1_700_000_000);
  const good = await startWitness(t, 0, [key]);
  let followed = false;
  const pretenders = await Promise.all([
    reachable(1, 'http://127.0.0.1:1/'),
    startPretender(t, 2, () => {}),
    startPretender(t, 3, (_, response) => {
      const more = () => {
        while (response.write('— w3.example/w '.repeat(1_000)));
        response.once('drain', more);
      };
      more();
    }),
    startPretender(t, 4, (_, response) => response.writeHead(409).end('0\n')),
    startPretender(t, 5, (_, response) => response.end(other)),
    startPretender(t, 6, (_, response) => response.end(forAnother)),
    startPretender(t, 7, (_, response) => response.writeHead(409).end('999999\n')),
    startPretender(t, 8, (request, response) => {
      followed ||= request.url === '/elsewhere';
      response.writeHead(302, { Location: '/elsewhere' }).end();
    }),
    startPretender(t, 9, (_, response) => {
      response.write('— w9');
    }),
    startPretender(t, 10, (_, response) => response.writeHead(404).end()),
    startPretender(t, 11, (_, response) => response.writeHead(409).end('2\n'.repeat(9))),
  ]);
  let nowMs = 0;
  const { offers, offer, said } = offersOf(site, [good, ...pretenders], {
    timeoutMs: 1_000,
    nowMs: () => nowMs,
  });
  await offer();
  t.match(said.toSorted(), [
    /^w1 cannot be reached/,
    /^w10 answered 404: it does not know this log/,
    /^w11 answered 409 without/,
    /^w2 did not answer in time/,
    /^w3 answered too many bytes/,
    /^w4 answered 409 without/,
    /^w5 answered without a valid/,
    /^w6 answered without a valid/,
    /^w7 states that it has cosigned 999999 events/,
    /^w8 answered 302/,
    /^w9 did not answer in time/,
  ]);
  t.notOk(followed, 'no redirect is followed');
  const counted = offers
    .counts()
    .flatMap(({ witness, outcome, count }) =>
      count === 0 ? [] : `${witness} ${outcome} ${count}`,
    );
  t.strictSame(counted.toSorted(), [
    ...['w0 cosigned 1', 'w1 failed 1', 'w10 refused 1', 'w11 failed 1', 'w2 failed 1'],
    ...['w3 failed 1', 'w4 failed 1', 'w5 failed 1', 'w6 failed 1', 'w7 conflict 1'],
    ...['w8 failed 1', 'w9 failed 1'],
  ]);
  const [stored] = await recentCosigned(site.database.db, 1);
  t.strictSame(
    stored?.cosignatures.map(({ vkey }) => vkey),
    [good.key.vkey],
  );

  // While they pause, and while a slow one works, the good one cosigns.
  await site.append(5);
  await publisher.publish();
  nowMs += 500;
  await offer();
  const [next] = await recentCosigned(site.database.db, 1);
  t.strictSame(next?.cosignatures.length, 1);
  t.equal(said.length, 11, 'each failure is told once');
  await offers.stop();
});

test('the age of what witnesses have not cosigned is measured, also of one that never did', async (t) => {
  const { site, key, publisher } = await openSite(t);
  const { db } = site.database;
  const good = await startWitness(t, 0, [key]);
  const dead = await startPretender(t, 1, (_, response) => response.writeHead(503).end());
  const policies = [1, 2].map((least) => parsePolicy(policyText([good, dead], least)));
  const { offer } = offersOf(site, [good, dead]);
  const cover = async (minutes = 0) => {
    const nowMs = Date.now() + minutes * 60_000;
    const found = await Promise.all(policies.map((one) => readWitnessCoverage(db, one, nowMs)));
    const inMinutes = (seconds = -60) => Math.floor(seconds / 60);
    return found.map((one) => ({
      lags: ['w0', 'w1'].map((name) => inMinutes(one?.lags.get(name))),
      quorum: inMinutes(one?.quorumLag ?? undefined),
    }));
  };
  t.equal(await readWitnessCoverage(db, policies[0] as never), null, 'nothing is published yet');
  await site.append(5);
  await publisher.publish();
  await offer();
  t.strictSame(await cover(10), [
    { lags: [0, 10], quorum: 0 },
    { lags: [0, 10], quorum: 10 },
  ]);
  // More checkpoints than are searched at first.
  for (let n = 0; n < 20; n += 1) {
    await site.append(1);
    await publisher.publish();
  }
  t.strictSame((await cover(20))[0], { lags: [20, 20], quorum: 20 });
  await offer();
  t.strictSame(await cover(30), [
    { lags: [0, 30], quorum: 0 },
    { lags: [0, 30], quorum: 30 },
  ]);
  const none = parsePolicy(`witness w0 ${good.key.vkey}\nquorum none\n`);
  t.match(await readWitnessCoverage(db, none), { lags: new Map(), quorumLag: null });
});

test('a refusal of another history is told also after an outage', async (t) => {
  const { site, publisher } = await openSite(t);
  await site.append(5);
  await publisher.publish();
  let status = 503;
  const witness = await startPretender(t, 1, (_, response) => response.writeHead(status).end());
  let nowMs = 0;
  const { offers, offer, said } = offersOf(site, [witness], { nowMs: () => nowMs });
  for (const next of [503, 422, 422]) {
    status = next;
    await offer();
    nowMs += 60_000;
  }
  t.match(said, [/answered 503/, /answered 422: it has cosigned another history/]);
  t.match(offers.counts(), [{}, {}, { outcome: 'conflict', count: 2 }, {}, { count: 1 }]);
  t.equal(said.length, 2);
});

test('another root of the size that a witness cosigned is told as another history', async (t) => {
  const { site, publisher } = await openSite(t);
  await site.append(5);
  await publisher.publish();
  const [row] = await recentCosigned(site.database.db, 1);
  const size = row?.size ?? 0;
  const witness = await startPretender(t, 1, (_, response) =>
    response.writeHead(409).end(`${size}\n`),
  );
  const { offers, offer, said } = offersOf(site, [witness]);
  await offer();
  t.match(said, [/^w1 answered 409: it has cosigned another history/]);
  t.match(offers.counts(), [{}, {}, { outcome: 'conflict', count: 1 }]);
});

test('a failure of the service itself is not counted for a witness', async (t) => {
  const { site, key, publisher } = await openSite(t);
  await site.append(5);
  await publisher.publish();
  const good = await startWitness(t, 0, [key]);
  const { readTile } = site.options.published;
  let nowMs = 0;
  const { offers, offer, said, errors } = offersOf(site, [good], { nowMs: () => nowMs });
  await offer();
  await site.append(5);
  await publisher.publish();
  site.options.published.readTile = () => Promise.reject(new Error('the storage is away'));
  await offer();
  t.match(errors, [{ message: 'the storage is away' }]);
  t.strictSame(said, []);
  site.options.published.readTile = readTile;
  nowMs += 10_000;
  await offer();
  const cosigned = offers.counts().filter(({ count }) => count > 0);
  t.match(cosigned, [{ outcome: 'cosigned', count: 2 }]);
});

test('keeps and passes on cosignatures of a type that is not known here', async (t) => {
  const { site, key, publisher } = await openSite(t);
  await site.append(5);
  await publisher.publish();
  const good = await startWitness(t, 0, [key]);
  const material = Buffer.concat([Buffer.of(6), Buffer.alloc(1_312, 7)]).toString('base64');
  const bytes = Buffer.concat([Buffer.of(1, 2, 3, 4), Buffer.alloc(2_428, 1)]).toString('base64');
  const line = `— later.example/w ${bytes}\n`;
  const later = await startPretender(t, 1, (_, response) =>
    response.end(`${line}— x.example AAAAAAA=\n`),
  );
  const policy = parsePolicy(
    `witness w0 ${good.key.vkey} ${good.url}\nwitness l later.example/w+01020304+${material} ${later.url}\ngroup g any w0 l\nquorum g\n`,
  );
  const witnesses = policy.witnesses.flatMap((one) =>
    one.url === null ? [] : { ...one, url: one.url },
  );
  const { offers, offer, said } = offersOf(site, witnesses);
  await offer();
  t.strictSame(said, []);
  const unverified = offers.counts().filter(({ outcome }) => outcome === 'unverified');
  t.match(unverified, [
    { witness: 'w0', count: 0 },
    { witness: 'l', count: 1 },
  ]);
  const note = (await new CheckpointChoice(site.database.db, policy).newest())?.note ?? '';
  t.ok(note.includes(line));
  t.notOk(note.includes('x.example'), 'signatures of others are left out');
  t.match(findCosignatures(note, policy), {
    cosigned: [{ witness: 'w0' }],
    unknown: ['l'],
    hasQuorum: true,
  });
});

test('garbage as a signature of an unknown type spoils no verification, now or later', async (t) => {
  const { site, key, publisher } = await openSite(t);
  await site.append(5);
  await publisher.publish();
  const good = await startWitness(t, 0, [key]);
  // Witnesses whose type this release does not know. A later one knows it: Ed25519 in this test.
  const known = [1, 2, 3].map((n) => sampleCosigner(n).vkey);
  const unknown = known.map((vkey) => {
    const [name, id, material = ''] = vkey.split('+');
    const bytes = Buffer.from(material, 'base64');
    bytes[0] = 6;
    return `${name}+${id}+${bytes.toString('base64')}`;
  });
  const answers = [1, 72, 5_000, 5_001].map((length, n) => {
    const id = Buffer.from((unknown[n] ?? unknown[0] ?? '').split('+')[1] ?? '', 'hex');
    const signed = Buffer.concat([id, Buffer.alloc(length, 0xa5)]).toString('base64');
    return `— w${n + 1}.example/w ${signed}\n`;
  });
  const servers = await Promise.all(
    [0, 1, 2].map((n) => startPretender(t, n + 1, (_, response) => response.end(answers[n]))),
  );
  const policyOf = (vkeys: readonly string[]) =>
    parsePolicy(
      `witness w0 ${good.key.vkey} ${good.url}\n${vkeys.map((vkey, n) => `witness u${n} ${vkey} ${servers[n]?.url}\n`).join('')}group g 1 w0 u0 u1 u2\nquorum g\n`,
    );
  const policy = policyOf(unknown);
  const witnesses = policy.witnesses.flatMap((one) =>
    one.url === null ? [] : { ...one, url: one.url },
  );
  const { offer, said } = offersOf(site, witnesses);
  await offer();
  t.strictSame(said, []);
  const [row] = await recentCosigned(site.database.db, 1);
  t.equal(row?.cosignatures.length, 4);
  const note = (await new CheckpointChoice(site.database.db, policy).newest())?.note ?? '';
  t.ok(note.length <= 8_192);
  for (const answer of answers.slice(0, 3)) t.ok(note.includes(answer));
  t.match(openCheckpoint(note, [key]), { status: 'verified' });
  t.ok(new KnownKeys([key]).hasSigned(note));
  t.match(findCosignatures(note, policy), {
    ...{ cosigned: [{ witness: 'w0' }], invalid: [], unknown: ['u0', 'u1', 'u2'] },
    hasQuorum: true,
  });
  const later = policyOf(known);
  t.match(findCosignatures(note, later), {
    ...{ cosigned: [{ witness: 'w0' }], invalid: ['u0', 'u1', 'u2'], unknown: [] },
    hasQuorum: true,
  });
  const sample = sampleBundle();
  if (sample.version === 1) throw new Error('a bundle without a log');
  const bundle = { ...sample, log: { ...sample.log, checkpoint: note } };
  for (const each of [policy, later]) t.match(checkWitnesses(bundle, each), { outcome: 'ok' });

  const [long] = await Promise.all([
    startPretender(t, 1, (_, response) =>
      response.end(answers[3]?.replace('w4.example', 'w1.example')),
    ),
  ]);
  await site.append(1);
  await publisher.publish();
  const first = witnesses[1];
  const other = offersOf(site, first ? [{ ...first, url: long.url }] : []);
  await other.offer();
  t.match(other.said, [/^u0 answered with a cosignature of 5001 bytes/]);
});

test('a split view gets no quorum', async (t) => {
  const log = forkedLog();
  const witnesses = await Promise.all([0, 1, 2].map((n) => startWitness(t, n, [log.key])));
  const policy = parsePolicy(policyText(witnesses, 2));
  const leaves = [
    sampleLeaves(80).slice(0, 40),
    [...sampleLeaves(80).slice(0, 3), ...sampleLeaves(80).slice(40)],
  ];
  /** The log offers a view to these witnesses, and shows what it got. */
  const offer = async (view: number, size: number, to: readonly number[]) => {
    const asked = to.map(async (n) => {
      const client = new WitnessClient(witnesses[n] as ReachableWitness);
      const prove = (older: number) => proveConsistency(older, size, nodesOf(leaves[view] ?? []));
      return client.offer(log.note(size, view), prove, AbortSignal.timeout(5_000)).catch(() => '');
    });
    const note = log.note(size, view) + (await Promise.all(asked)).join('');
    return findCosignatures(note, policy);
  };
  t.match(await offer(0, 3, [0, 1, 2]), { hasQuorum: true }, 'the common part');
  t.match(await offer(0, 10, [0, 1]), { hasQuorum: true }, 'one view, to a quorum');
  const other = await offer(1, 12, [0, 1, 2]);
  t.match(other, { cosigned: [{ witness: 'w2' }], hasQuorum: false }, 'the other view, to all');
  t.match(await offer(1, 10, [0, 1, 2]), { hasQuorum: false }, 'of the same size');
  t.match(await offer(0, 20, [0, 1, 2]), { cosigned: [{ witness: 'w0' }, { witness: 'w1' }] });
});

test('shows the last checkpoint with a quorum for some seconds, then the newest', async (t) => {
  const { site, publisher } = await openSite(t);
  const { db } = site.database;
  const witnesses = [0, 1].map((n) => reachable(n, 'http://127.0.0.1:1/'));
  const parsed = parsePolicy(policyText(witnesses, 1));
  let verified = 0;
  const counted = parsed.witnesses.map(({ key, ...witness }) => {
    const countedKey = {
      ...key,
      get publicKey() {
        verified += 1;
        return key.publicKey;
      },
    };
    return { ...witness, key: countedKey };
  });
  const policy = { ...parsed, witnesses: counted };
  let nowMs = 0;
  const choice = new CheckpointChoice(db, policy, () => nowMs);
  const publish = async (isCosigned: boolean) => {
    await site.append(1);
    await publisher.publish();
    const [row] = await recentCosigned(db, 1);
    const { text } = readSignedNote(row?.note ?? '') as NonNullable<
      ReturnType<typeof readSignedNote>
    >;
    const lines = sampleCosigner(0).cosign(text, 1_700_000_000);
    const { number = 0, size = 0 } = row ?? {};
    if (isCosigned) await addCosignature(db, { number, vkey: witnesses[0]?.key.vkey ?? '', lines });
    return size;
  };
  const shown = async () => (await choice.newest())?.size;
  const first = await publish(false);
  t.equal(await shown(), first, 'without a quorum the newest, at once');
  t.match(await choice.covering(first), { mayGainQuorum: false });
  const second = await publish(true);
  const third = await publish(false);
  t.equal(await shown(), second);
  t.match(await choice.covering(second), { checkpoint: { size: second }, mayGainQuorum: false });
  t.match(await choice.covering(third), { checkpoint: { size: third }, mayGainQuorum: true });
  t.equal(await choice.covering(third + 1), null);
  nowMs += 2_999;
  t.equal(await shown(), second);
  nowMs += 1;
  t.equal(await shown(), third, 'after the wait the newest');
  t.equal(verified, 1, 'each cosignature is verified once, not for each request');
  await publish(false);
  t.equal(await shown(), third, 'never an earlier one than before');
  for (let n = 0; n < 3; n += 1) await publish(false);
  const last = await publish(false);
  t.equal(await shown(), last, 'once the witnesses are away, the newest at once');
  t.match(await choice.covering(last), { mayGainQuorum: false });
});
