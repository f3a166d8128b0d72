import { test } from 'tap';
import { epochKeys } from '../../../src/transparency-log/checkpoint/epoch-keys.ts';
import { noteSigner } from '../../../src/transparency-log/checkpoint/note-key.ts';

const log = 'proofmark/01M7XT7TX5VQ3R4S5T6V7W8X9Y';
const [old, present, next] = [1, 2, 3].map((fill) => Buffer.alloc(32, fill)) as [
  Buffer,
  Buffer,
  Buffer,
];
const key = (name: string, seed: Buffer) => noteSigner(name, seed).vkey;

test('a log in its first epoch has the configured keys', async (t) => {
  const keys = epochKeys({ origin: log, seeds: [next, present], signed: [[key(log, present)]] });
  t.strictSame(keys, [key(log, next), key(log, present)]);
});

test('names a configured key for every epoch, newest first', async (t) => {
  t.strictSame(epochKeys({ origin: `${log}/3`, seeds: [present], signed: [] }), [
    key(`${log}/3`, present),
    key(`${log}/2`, present),
    key(log, present),
  ]);
});

test('names a replaced key only for epochs in which it is on record', async (t) => {
  const signed = [[key(`${log}/3`, present)], [key(`${log}/2`, old), key(`${log}/2`, present)]];
  t.strictSame(epochKeys({ origin: `${log}/3`, seeds: [present], signed }), [
    key(`${log}/3`, present),
    key(`${log}/2`, present),
    key(`${log}/2`, old),
    key(log, present),
  ]);
});

test('without seeds, names the last signing keys for every epoch up to theirs', async (t) => {
  const signed = [
    [key(`${log}/2`, next), key(`${log}/2`, present)],
    [key(log, present)],
    [key(log, old)],
  ];
  t.strictSame(epochKeys({ origin: `${log}/3`, seeds: [], signed }), [
    key(`${log}/2`, next),
    key(`${log}/2`, present),
    key(log, next),
    key(log, present),
    key(log, old),
  ]);
  t.strictSame(epochKeys({ origin: log, seeds: [], signed: [] }), [], 'nothing published yet');
});
