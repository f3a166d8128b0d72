import { test } from 'tap';
import { checkBundle } from '../../../src/certificates/check-bundle.ts';
import {
  checkTimestampAuthority,
  type TimestampFinding,
} from '../../../src/certificates/check-timestamp-authority.ts';
import type { Bundle, BundleTimestamp } from '../../../src/verifier/bundle/bundle.ts';
import { bundleChecksum } from '../../../src/verifier/bundle/bundle-checksum.ts';
import { readBundle } from '../../../src/verifier/bundle/read-bundle.ts';
import { checkTimestamp } from '../../../src/verifier/check/check-timestamp.ts';
import {
  sampleAttested,
  sampleBundle,
  sampleFileHash,
  sampleStamped,
  sampleStampedAlone,
} from '../../support/sample-bundle.ts';

const whole = sampleBundle(sampleStamped);
const alone = sampleBundle(sampleStampedAlone);

function timestampOf(bundle: Bundle): BundleTimestamp {
  if (bundle.version !== 5) throw new Error('the sample has no token');
  return bundle.timestamp;
}

/** The bundle with another token or checkpoint, and a new checksum, as by a forger. */
function forged(change: Partial<BundleTimestamp>, more: object = {}, of = whole): Bundle {
  const { checksum: _, ...rest } = of;
  const bundle = { ...rest, ...more, timestamp: { ...timestampOf(of), ...change } };
  return readBundle(JSON.stringify({ ...bundle, checksum: bundleChecksum(bundle) }));
}

const { checkpointText, token } = timestampOf(whole);
const der = Buffer.from(token, 'base64');
const withBytes = (bytes: Uint8Array) => forged({ token: Buffer.from(bytes).toString('base64') });

/** Replaces the first occurrence of some bytes by others of the same length. */
function replaced(hex: string, by: string): Bundle {
  const text = der.toString('hex');
  if (!text.includes(hex)) throw new Error(`no ${hex} there`);
  return withBytes(Buffer.from(text.replace(hex, by), 'hex'));
}

const time = (text: string) => Buffer.from(text).toString('hex');
const genTime = /2026\d{10}Z/.exec(der.toString('latin1'))?.[0] ?? '';

test('a token leads to the log entry, and states its time', async (t) => {
  t.match(checkTimestamp(whole), [{ name: 'timestamp', outcome: 'ok', detail: /of the 5 events/ }]);
  t.match(checkTimestamp(alone), [
    { outcome: 'ok', detail: /the time 2026-11-23T18:\d\d:\d\d\.000Z/ },
  ]);
  t.strictSame(checkTimestamp(sampleBundle()), [], 'earlier versions have none');
});

test('a token of something else, or in another form, is refused with the reason', async (t) => {
  const otherText = checkpointText.replace('\n5\n', '\n6\n');
  const { event } = whole.version === 5 ? whole.log : { event: {} };
  const log =
    whole.version === 5 ? { ...whole.log, event: { ...event, metaHash: '0'.repeat(64) } } : {};
  const indefinite = Buffer.concat([Buffer.of(0x30, 0x80), der.subarray(4), Buffer.of(0, 0)]);
  const rows: readonly (readonly [Bundle, RegExp])[] = [
    [forged({ token: timestampOf(alone).token }), /is of other data than the checkpoint/],
    [forged({ checkpointText: otherText }), /is of other data than the checkpoint/],
    [forged(timestampOf(alone)), /is not at position 2 of the 5 events/],
    [forged({ hashes: timestampOf(whole).hashes.slice(1) }), /is not at position 2 of the 5/],
    [forged({ checkpointText: checkpointText.replace('\n5\n', '\n1\n') }), /position 2 of the 1/],
    [forged({}, { log }), /is not at position 2 of the 5 events/],
    [
      forged({}, { certificate: { ...whole.certificate, proofId: '0'.repeat(26) } }),
      /belongs to another proof/,
    ],
    [withBytes(indefinite), /an element of indefinite length/],
    [withBytes(der.subarray(0, -1)), /ends too early/],
    [withBytes(Buffer.concat([der, Buffer.of(0)])), /followed by other bytes/],
    [withBytes(Buffer.of(0x30, 0x00)), /is no time-stamp token/],
    [withBytes(Buffer.of(0x1f, 0x81, 0x00)), /a tag of several bytes/],
    [withBytes(Buffer.of(0x30, 0x81, 0x01, 0x00)), /a length in another form/],
    [withBytes(Buffer.of()), /ends too early/],
    [withBytes(nested(40)), /more than 32 levels/],
    [replaced('2a864886f70d010702', '2a864886f70d010703'), /is no signed data/],
    [replaced('2a864886f70d0109100104', '2a864886f70d0109100105'), /is not of a time/],
    [replaced(time(genTime), time('20261340010203Z')), /a time that is no date/],
    [replaced(time(genTime), time('20260230010203Z')), /a time that is no date/],
    [replaced(time(genTime), time('2026111001020.Z')), /a time in another form/],
    [replaced(time(genTime), time('20261120225832Z')), /closed later, at 2026-11-20T23:03:33/],
  ];
  for (const [bundle, reason] of rows) {
    t.match(checkTimestamp(bundle), [{ outcome: 'failed', detail: reason }], String(reason));
  }
  t.match(checkTimestamp(replaced(time(genTime), time('20261120225833Z'))), [{ outcome: 'ok' }]);
});

test('a token that is too large is no part of a bundle', async (t) => {
  t.throws(() => forged({ token: 'A'.repeat(43_696) }), { name: 'NoBundle' });
  t.throws(() => forged({ checkpointText: `${checkpointText}more\n` }), { name: 'NoBundle' });
});

test('the accuracy of a confirmed time is shown with it', async (t) => {
  const time = '2026-11-23T18:11:17.000Z';
  const shown = (accuracyMicros?: number | null) => {
    const found = { asked: true, holds: true, time, authority: 'A' } as const;
    const more = accuracyMicros === undefined ? {} : { accuracyMicros };
    const [check] = checkTimestampAuthority(alone, { ...found, ...more });
    return /^existed no later than (.*), according to A\./.exec(check?.detail ?? '')?.[1];
  };
  t.equal(shown(), time);
  t.equal(shown(null), time);
  t.equal(shown(1_000_000), `${time} (accuracy 1 s)`);
  t.equal(shown(1_500_000), `${time} (accuracy 1500 ms)`);
  t.equal(shown(250), `${time} (accuracy 250 µs)`);
  t.equal(shown(0), `${time} (accuracy 0 s)`);
  t.equal(shown(Infinity), `${time} (accuracy stated as no possible time)`);
});

test('a token alone proves nothing, and a false authority is a failure', async (t) => {
  const outcomes = (timestamp: TimestampFinding | null, bundle = alone) => {
    const ledger = { asked: false, why: 'offline' } as const;
    const against = { fileHash: sampleFileHash, accounts: null, ledger, logKeys: null, timestamp };
    const validatorListKeys = [sampleAttested.network.publisherKey];
    const checks = checkBundle(bundle, { ...against, validatorListKeys });
    return Object.fromEntries(checks.map((one) => [one.name, one.outcome]));
  };
  const vouched = {
    asked: true,
    holds: true,
    time: '2026-11-23T18:11:17.000Z',
    authority: 'A',
  } as const;
  t.match(outcomes(vouched), { 'timestamp authority': 'ok', 'validated ledger': 'notChecked' });
  t.match(outcomes(null), { timestamp: 'ok', 'timestamp authority': 'notChecked' });
  const lied = { asked: true, holds: false, why: 'its signature does not hold' } as const;
  t.match(outcomes(lied, whole), { 'timestamp authority': 'failed', validations: 'ok' });
});

function nested(levels: number): Buffer {
  let bytes = Buffer.of();
  for (let level = 0; level < levels; level += 1) {
    bytes = Buffer.concat([Buffer.of(0x30, bytes.length), bytes]);
  }
  return bytes;
}
