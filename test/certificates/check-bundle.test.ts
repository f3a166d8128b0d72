import { decode, encode } from 'ripple-binary-codec';
import { test } from 'tap';
import { ECDSA, Wallet } from 'xrpl';
import { checkBundle } from '../../src/certificates/check-bundle.ts';
import type { LedgerFinding } from '../../src/certificates/check-on-ledger.ts';
import { hashSchemes } from '../../src/domain/proof/hash-scheme.ts';
import { noteSigner } from '../../src/transparency-log/checkpoint/note-key.ts';
import { signNote } from '../../src/transparency-log/checkpoint/signed-note.ts';
import type { Bundle } from '../../src/verifier/bundle/bundle.ts';
import { bundleChecksum } from '../../src/verifier/bundle/bundle-checksum.ts';
import { readBundle } from '../../src/verifier/bundle/read-bundle.ts';
import { type Check, checkNames } from '../../src/verifier/check/check.ts';
import { attestationChecks } from '../../src/verifier/check/check-attestation.ts';
import { ledgerHash } from '../../src/verifier/check/ledger-hash.ts';
import { readLogKey } from '../../src/verifier/log/note-key.ts';
import {
  type SampleOptions,
  sampleBundle,
  sampleFileHash,
  sampleLogKey,
  sampleLogSigner,
  sampleWallet,
} from '../support/sample-bundle.ts';
import { falsely, mirror, signedWith } from '../support/vectors/other-log-vectors.ts';

const whole = sampleBundle();
const offline: LedgerFinding = { asked: false, why: 'no --ledger was given' };
const nothing = { accounts: null, ledger: offline, logKeys: null } as const;
const ofLedger = ['network', 'validated ledger', 'anchored transaction'];

function checks(bundle: Bundle, ledger: LedgerFinding = ledgerOf(bundle)): Check[] {
  return checkBundle(bundle, {
    fileHash: sampleFileHash,
    accounts: [sampleWallet.address],
    ledger,
    logKeys: [sampleLogKey],
  });
}

/** A server that holds exactly what the bundle says. */
function ledgerOf({ anchor, evidence }: Bundle, held = [transactionOf()]): LedgerFinding {
  const { ledgerIndex: index, ledgerHash: hash, closeTime, standalone } = anchor;
  const header = { header: evidence.ledgerHeader, parentHash: 'B3'.repeat(32) };
  const ledger = { index, hash, closeTime, ...header, transactions: held };
  return { asked: true, reached: true, server: 'wss://ledger', standalone, ledger };
}

function transactionOf({ anchor, evidence } = whole) {
  return {
    hash: anchor.transactionHash,
    blob: evidence.blob,
    metadata: evidence.metadata,
  };
}

function named(found: readonly Check[], outcome: Check['outcome']): string[] {
  return found.filter((each) => each.outcome === outcome).map(({ name }) => name);
}

/** A bundle that was altered and given a new checksum, as by a forger. */
function forged(bundle: Bundle): Bundle {
  return { ...bundle, checksum: bundleChecksum(bundle) };
}

const withAnchor = (change: Partial<Bundle['anchor']>) =>
  forged({ ...whole, anchor: { ...whole.anchor, ...change } });
const withEvidence = (change: Partial<Bundle['evidence']>) =>
  forged({ ...whole, evidence: { ...whole.evidence, ...change } });

/** Checks of a bundle that does not contain the word of the ledger's validators. */
const withoutValidators = checkNames.filter(
  (name) =>
    name !== 'log witnesses' &&
    !name.startsWith('issue') &&
    !name.startsWith('timestamp') &&
    !attestationChecks.includes(name),
);

test('a proof of every scheme passes every check, which come in one order', async (t) => {
  for (const hashScheme of hashSchemes) {
    const bundle = sampleBundle({ hashScheme });
    const found = checks(bundle, ledgerOf(bundle, [transactionOf(bundle)]));
    t.strictSame(
      found.map(({ name }) => name),
      withoutValidators.filter((name) => name !== 'pages'),
    );
    t.strictSame(named(found, 'notChecked'), ['statements']);
    t.strictSame(named(found, 'failed'), []);
  }
});

test('without file, accounts and ledger these checks are skipped, and none fails', async (t) => {
  const found = checkBundle(whole, { ...nothing, fileHash: null });
  t.strictSame(named(found, 'failed'), []);
  t.strictSame(named(found, 'notChecked'), [
    ...['file hash', 'account', ...ofLedger],
    ...['log checkpoint', 'statements'],
  ]);
});

test('for a certificate the pages are reported as not checked', async (t) => {
  const given = { ...nothing, fileHash: null, isPrinted: true };
  const found = checkBundle(whole, given);
  t.strictSame(
    found.map(({ name }) => name),
    withoutValidators,
  );
  t.match(found.at(-1), { name: 'pages', outcome: 'notChecked' });
});

test('without a ledger no check claims that a transaction is on the ledger', async (t) => {
  const given = { ...nothing, fileHash: sampleFileHash };
  for (const hashScheme of hashSchemes) {
    const checks = checkBundle(sampleBundle({ hashScheme }), given);
    const details = checks.map(({ detail }) => detail).join('\n');
    t.notMatch(details, /is anchored|ledger closed|is validated/);
  }
});

test('without the nonce the commitment is not checked', async (t) => {
  const { commitment } = whole;
  const shared = forged({ ...whole, commitment: { ...commitment, nonce: null } });
  t.strictSame(named(checks(shared), 'failed'), []);
  t.strictSame(named(checks(shared), 'notChecked'), ['commitment', 'statements']);
});

const hash = 'AB'.repeat(32);
const other = Wallet.fromEntropy(Buffer.alloc(16, 2));
const forgeries: Readonly<Record<string, readonly [Bundle, readonly string[]]>> = {
  'a checksum': [{ ...whole, checksum: 'ab'.repeat(32) }, ['checksum']],
  'a name without a new checksum': [
    { ...whole, file: { ...whole.file, fileName: 'other.pdf' } },
    ['checksum'],
  ],
  'a file hash': [
    forged({ ...whole, file: { ...whole.file, fileHash: 'ab'.repeat(32) } }),
    ['file hash', 'commitment'],
  ],
  'a nonce': [
    forged({ ...whole, commitment: { ...whole.commitment, nonce: 'ab'.repeat(32) } } as Bundle),
    ['commitment'],
  ],
  'a commitment': [
    forged({
      ...whole,
      commitment: { ...whole.commitment, commitment: 'ab'.repeat(32) },
    } as Bundle),
    ['commitment', 'memo'],
  ],
  'a scheme': [
    forged({
      ...whole,
      commitment: { ...whole.commitment, hashScheme: 'hmac-sha256-nonce-v2' },
    } as Bundle),
    ['memo'],
  ],
  'a revision before': [
    forged({ ...whole, revision: { ...whole.revision, previousTransactionHash: hash } }),
    ['memo'],
  ],
  'no revision before': [
    forged({ ...whole, revision: { ...whole.revision, previousTransactionHash: null } }),
    ['memo'],
  ],
  'a memo': [
    withEvidence({ memo: { ...whole.evidence.memo, data: `${whole.evidence.memo.data} ` } }),
    ['memo', 'transaction'],
  ],
  'an account': [
    withAnchor({ account: other.address }),
    ['transaction', 'signing key', 'metadata', 'account'],
  ],
  'a transaction hash': [
    withAnchor({ transactionHash: hash }),
    ['transaction hash', 'addresses', 'anchored transaction'],
  ],
  'a ledger index': [
    withAnchor({ ledgerIndex: whole.anchor.ledgerIndex + 1 }),
    ['ledger header', 'validated ledger'],
  ],
  'a ledger after the last that it could enter': [
    withAnchor({ ledgerIndex: whole.anchor.ledgerIndex + 3 }),
    ['transaction', 'ledger header', 'validated ledger'],
  ],
  'a ledger hash': [withAnchor({ ledgerHash: hash }), ['ledger header', 'validated ledger']],
  'a transaction index': [withAnchor({ transactionIndex: 4 }), ['metadata']],
  'a close time': [
    withAnchor({
      closeTime: whole.anchor.closeTime - 10,
      closeTimeIso: '2026-11-20T23:03:23.000Z',
    }),
    ['close time', 'validated ledger'],
  ],
  'a close time in words': [
    withAnchor({ closeTimeIso: '2016-11-20T23:03:33.000Z' }),
    ['close time'],
  ],
  'an address': [
    forged({
      ...whole,
      addresses: { ...whole.addresses, verifyUrl: 'https://evil.example/' },
    } as Bundle),
    ['addresses'],
  ],
};

for (const [what, [bundle, expected]] of Object.entries(forgeries)) {
  test(`detects a forger who states ${what} of their own`, async (t) => {
    const found = checks(bundle, ledgerOf(whole));
    // The log entry differs as well.
    const failing = named(found, 'failed').filter((name) => name !== 'log entry');
    const expectedFailures = expected.filter((name) => name !== 'signing key');
    t.strictSame(failing, expectedFailures);
  });
}

/**
 * Checks of a bundle whose blob is another transaction with matching hash and ledger, as a forger
 * can make it.
 */
function resigned(options: SampleOptions): Check[] {
  return checks(sampleBundle(options), offline);
}

test('a transaction with other fields, accounts or memos fails', async (t) => {
  const memo = { MemoType: 'AA', MemoData: 'BB' };
  const { Memos } = decode(whole.evidence.blob) as { Memos: object[] };
  for (const transaction of [
    { TransactionType: 'SetRegularKey' },
    { Domain: 'AB' },
    { SetFlag: 4 },
    { SourceTag: 1 },
    { Memos: [...Memos, { Memo: memo }] },
    { Memos: [{ Memo: memo }] },
    { Account: other.address },
    { LastLedgerSequence: whole.anchor.ledgerIndex - 1 },
  ]) {
    const failing = named(resigned({ transaction }), 'failed');
    t.ok(failing.includes('transaction'), JSON.stringify(transaction));
  }
});

test('a broken signature or a garbage transaction fails', async (t) => {
  const { blob } = whole.evidence;
  const at = blob.indexOf('7440') + 20;
  const flipped = `${blob.slice(0, at)}${blob[at] === '0' ? '1' : '0'}${blob.slice(at + 1)}`;
  const broken = withEvidence({ blob: flipped });
  t.strictSame(named(checks(broken, offline), 'failed'), ['signature', 'transaction hash']);
  for (const garbage of [
    '00',
    'FF',
    blob.slice(2),
    `${blob}00`,
    blob.slice(0, -2),
    'E1'.repeat(4_096),
  ]) {
    const failing = named(checks(withEvidence({ blob: garbage }), offline), 'failed');
    t.strictSame(failing, ['transaction', 'signature', 'transaction hash', 'metadata']);
  }
});

test('only the ledger confirms the signing key when it is a regular key', async (t) => {
  for (const algorithm of [ECDSA.ed25519, ECDSA.secp256k1]) {
    const signer = Wallet.fromEntropy(Buffer.alloc(16, 3), { algorithm });
    const bundle = sampleBundle({ signer });
    const alone = checks(bundle, offline);
    t.strictSame(named(alone, 'failed'), []);
    t.ok(named(alone, 'notChecked').includes('signing key'));
    const asked = checks(bundle, ledgerOf(bundle, [transactionOf(bundle)]));
    t.strictSame(named(asked, 'failed'), []);
    t.ok(named(asked, 'ok').includes('signing key'));
  }
});

/** Failed checks without the log entry, which fails for every other anchoring. */
function failing(bundle: Bundle): string[] {
  return named(checks(bundle, offline), 'failed').filter((name) => name !== 'log entry');
}

test('metadata with another result, for another transaction or in a bad format fail', async (t) => {
  const good = decode(whole.evidence.metadata) as Record<string, unknown>;
  const fails = (metadata: string) => failing(withEvidence({ metadata })).join() === 'metadata';
  t.ok(fails(encode({ ...good, TransactionResult: 'tecINSUFF_FEE' })));
  t.ok(fails(encode({ ...good, AffectedNodes: [] })));
  const payment = JSON.stringify(good).replace(/"PreviousFields":{[^}]*}/, '"PreviousFields":{}');
  t.ok(fails(encode(JSON.parse(payment))), 'metadata that touch the account, but not its Sequence');
  const { metadata: canonical } = whole.evidence;
  t.ok(fails(`${canonical}F8F1`), 'bytes after the end of the metadata');
  t.ok(fails(canonical.replace(/^/, '031094')), 'a result that appears twice');
  const later = JSON.parse(JSON.stringify(good).replace('"Sequence":8', '"Sequence":9'));
  t.ok(fails(encode(later)));
  for (const garbage of ['00', 'FF'.repeat(32_768), 'F9'.repeat(30_000), 'EA'.repeat(30_000)]) {
    t.ok(fails(garbage));
  }
});

test('a ledger header of the wrong length fails', async (t) => {
  const { ledgerHeader } = whole.evidence;
  for (const header of [ledgerHeader.slice(2), 'AB']) {
    const bundle = forged({
      ...whole,
      evidence: { ...whole.evidence, ledgerHeader: header },
      anchor: { ...whole.anchor, ledgerHash: ledgerHash('ledger', header) },
    });
    t.strictSame(failing(bundle), ['ledger header', 'close time']);
  }
});

const findings: Readonly<Record<string, readonly [LedgerFinding, readonly string[]]>> = {
  'is of another network or cannot be reached': [
    { asked: true, reached: false, why: 'it serves network_id 1' },
    ['network'],
  ],
  'is a standalone one': [{ ...ledgerOf(whole), standalone: true } as LedgerFinding, ['network']],
  'has no such ledger': [
    { ...ledgerOf(whole), ledger: null } as LedgerFinding,
    ['validated ledger'],
  ],
  'has another ledger of that index': [
    ledgerOf(withAnchor({ ledgerHash: hash })),
    ['validated ledger'],
  ],
  'closed that ledger at another time': [
    ledgerOf(withAnchor({ closeTime: 1 })),
    ['validated ledger'],
  ],
  'lacks the transaction': [ledgerOf(whole, []), ['anchored transaction']],
  'holds the transaction with another result': [
    ledgerOf(whole, [{ ...transactionOf(), metadata: '00' }]),
    ['anchored transaction'],
  ],
};

for (const [what, [finding, expected]] of Object.entries(findings)) {
  test(`a server that ${what} fails the check`, async (t) => {
    t.strictSame(named(checks(whole, finding), 'failed'), expected);
  });
}

test('an unexpected account fails, one of several expected accounts passes', async (t) => {
  const by = (accounts: readonly string[]) =>
    named(checkBundle(whole, { ...nothing, fileHash: null, accounts }), 'failed');
  t.strictSame(by([other.address]), ['account']);
  t.strictSame(by([]), ['account']);
  t.strictSame(by([other.address, sampleWallet.address]), []);
});

test('for a version 1 bundle the log checks are skipped, and none fails', async (t) => {
  const found = checks(sampleBundle({ unlogged: true }), offline);
  t.strictSame(named(found, 'failed'), []);
  t.strictSame(named(found, 'notChecked'), [
    ...ofLedger,
    ...['log entry', 'log checkpoint', 'statements'],
  ]);
});

test('a log entry without the anchoring fails, and so does a checkpoint of other keys', async (t) => {
  if (whole.version === 1) throw new Error('no log');
  const { log } = whole;
  const { event } = log;
  const logged = (change: Partial<typeof log>, more: Partial<Bundle> = {}) =>
    named(
      checks(forged({ ...whole, ...more, log: { ...log, ...change } } as Bundle), offline),
      'failed',
    );
  const hash = 'ab'.repeat(32);
  t.strictSame(logged({}), []);
  t.strictSame(logged({ leafIndex: 0 }), ['log entry']);
  t.strictSame(logged({ leafIndex: 3 }), ['log entry']);
  t.strictSame(logged({ hashes: [...log.hashes, hash] }), ['log entry']);
  t.strictSame(logged({ hashes: [hash, ...log.hashes.slice(1)] }), ['log entry']);
  t.strictSame(logged({ ledgerId: 'testnet' }), ['log entry']);
  t.strictSame(logged({ event: { ...event, metaHash: hash } }), ['log entry']);
  t.strictSame(logged({ event: { ...event, dataHash: hash } }), ['log entry']);
  const stream = 'proof-01M7XT7V10RJ1CFD26ZBSKQXP7';
  t.strictSame(logged({ event: { ...event, stream } }), ['log entry']);
  t.strictSame(logged({ checkpoint: 'no note' }), ['log entry', 'log checkpoint']);
  const larger = log.checkpoint.replace('\n3\n', '\n4\n');
  t.strictSame(
    logged({ checkpoint: larger }),
    ['log checkpoint'],
    'a tree of size 4, in which the entry has the same path as in size 3',
  );
  const strange = noteSigner(sampleLogKey.name, Buffer.alloc(32, 6));
  const [text = ''] = log.checkpoint.split('\n\n');
  const signed = signNote(`${text}\n`, [strange]);
  t.strictSame(logged({ checkpoint: signed }), ['log checkpoint']);
  const both = signNote(`${text}\n`, [strange, sampleLogSigner]);
  t.strictSame(
    logged({ checkpoint: both }),
    [],
    'signed by the known key and another, as while a key is replaced',
  );
});

test('a checkpoint of an unknown log name is not checked, one of a known name must match', async (t) => {
  if (whole.version === 1) throw new Error('no log');
  const { log } = whole;
  const { name, vkey } = sampleLogKey;
  const found = (logKeys: readonly string[], checkpoint = log.checkpoint) => {
    const bundle = forged({ ...whole, log: { ...log, checkpoint } } as Bundle);
    const known = logKeys.flatMap((key) => readLogKey(key) ?? []);
    const all = checkBundle(bundle, { ...nothing, fileHash: sampleFileHash, logKeys: known });
    return all.find((one) => one.name === 'log checkpoint');
  };
  const later = noteSigner(`${name}/2`, Buffer.alloc(32, 5));
  t.match(found([later.vkey]), {
    outcome: 'notChecked',
    detail: `the checkpoint belongs to ${name}, another epoch of the log than the given keys: add the key of that epoch to --log-key`,
  });
  t.match(found([later.vkey, vkey]), {
    outcome: 'ok',
    detail: `the checkpoint is signed with the given key ${vkey}`,
  });
  const elsewhere = noteSigner('proofmark/01M7XT7TX5VQ3R4S5T6V7W8X9Z', Buffer.alloc(32, 5));
  t.match(found([elsewhere.vkey]), {
    outcome: 'notChecked',
    detail: /no key of that log was given/,
  });

  const strange = noteSigner(name, Buffer.alloc(32, 6));
  const [text = ''] = log.checkpoint.split('\n\n');
  const signed = signNote(`${text}\n`, [strange]);
  t.match(found([vkey, later.vkey], signed), { outcome: 'failed', detail: /none of the keys/ });
  const renamed = log.checkpoint.replace(`${name}\n`, `${name}/2\n`);
  t.match(
    found([vkey], renamed),
    { outcome: 'failed', detail: /forged/ },
    'a renamed checkpoint signed by a known key',
  );
  const [, line = ''] = log.checkpoint.split('\n\n');
  const borrowed = log.checkpoint.replace(line, line.replace(name, `${name}/2`));
  t.match(found([vkey], borrowed), { outcome: 'failed' }, 'a signature renamed to another epoch');
  t.match(found([later.vkey], 'no note'), { outcome: 'failed' });
  const stated = signNote('no checkpoint\n', [sampleLogSigner]);
  t.match(found([later.vkey], stated), {
    outcome: 'failed',
    detail: /the checkpoint in the bundle is malformed/,
  });
});

test('signatures and keys of other logs neither help nor harm a checkpoint', async (t) => {
  const log = sampleLogSigner;
  const found = (signers: (typeof log)[], ...known: readonly (typeof log)[]) => {
    const logKeys = known.flatMap(({ vkey }) => readLogKey(vkey) ?? []);
    const bundle = readBundle(signedWith(signers));
    const all = checkBundle(bundle, { ...nothing, fileHash: sampleFileHash, logKeys });
    return all.find(({ name }) => name === 'log checkpoint');
  };
  const signed = {
    outcome: 'ok',
    detail: `the checkpoint is signed with the given key ${log.vkey}`,
  };
  t.match(found([log, mirror], log, mirror), signed);
  t.match(found([mirror, log], mirror, log), signed);
  t.match(found([log, falsely(mirror)], log, mirror), signed);
  t.match(found([log, mirror], mirror), { outcome: 'notChecked', detail: /no key of that log/ });
  t.match(found([falsely(log), mirror], log, mirror), { outcome: 'failed', detail: /forged/ });
  for (const known of [[log, mirror], [mirror]]) {
    t.match(found([mirror], ...known), { outcome: 'failed', detail: /no signature of the log/ });
  }
});
