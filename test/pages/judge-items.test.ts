import { createHash } from 'node:crypto';
import { test } from 'tap';
import { shareBundle } from '../../src/certificates/build-bundle.ts';
import type { Digest } from '../../src/domain/proof/digest.ts';
import type { Findings } from '../../src/pages/findings.ts';
import type { Item } from '../../src/pages/given-file.ts';
import { judgeItems } from '../../src/pages/judge-items.js';
import { sampleTransaction } from '../../src/pages/sample-proof.js';
import { summarise } from '../../src/pages/summarise.js';
import { bundleChecksum } from '../../src/verifier/bundle/bundle-checksum.ts';
import { findings, heldAs, readCertificate, readItem } from '../support/page-findings.ts';
import { sampleBundle, sampleFileHash, sampleProof, sampleText } from '../support/sample-bundle.ts';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex') as Digest;
const salted = sampleText();
const plain = sampleText({ hashScheme: 'sha256-plain-v1' });
const { content } = sampleProof();
const { nonce, transactionHash } = content;

const right = () => readItem('contract.txt', sampleFileHash);
const wrong = () => readItem('other.txt', sha256('other'));

/** Each card as files, certificate and verdict, followed by the overall result. */
function outcomes(given: Findings): string[] {
  const { cards } = judgeItems(given);
  const name = ({ file }: Item) => file.name;
  const lines = cards.map(({ files, certificate, judgement }) => {
    const of = [...files, ...(certificate ? [certificate] : [])].map(name).join(' + ');
    return `${of || 'transaction'}: ${judgement.kind} ${judgement.text}`;
  });
  const summary = summarise(cards);
  return summary === null ? lines : [...lines, `${summary.kind} ${summary.text}`];
}

function orders<Value>(values: readonly Value[]): Value[][] {
  if (values.length < 2) return [[...values]];
  return values.flatMap((first, at) =>
    orders(values.toSpliced(at, 1)).map((rest) => [first, ...rest]),
  );
}

test('the right file, its certificate and a wrong file get their verdicts in any order', async (t) => {
  const expected = [
    'contract.txt + c.json: proven proven',
    'other.txt: disproven noCertificate',
    'partial someProven',
  ].sort();
  for (const given of orders([right(), readCertificate('c.json', salted), wrong()])) {
    t.strictSame(outcomes(findings(given, [heldAs(salted)])).sort(), expected);
  }
});

test('a certificate with the file of another one stays open, and the file is disproven', async (t) => {
  t.strictSame(outcomes(findings([readCertificate('c.json', salted), wrong()], [heldAs(salted)])), [
    'c.json: open fileNotGiven',
    'other.txt: disproven noCertificate',
    'disproven noneProven',
  ]);
});

test('two certificates for one file, and one file under two names, are all proven', async (t) => {
  const certificates = [readCertificate('a.json', salted), readCertificate('b.json', plain)];
  const copy = readItem('copy.txt', sampleFileHash);
  t.strictSame(
    outcomes(findings([right(), ...certificates, copy], [heldAs(salted), heldAs(plain)])),
    [
      'contract.txt + copy.txt + a.json: proven proven',
      'contract.txt + copy.txt + b.json: proven proven',
      'proven allProven',
    ],
  );
  t.strictSame(
    outcomes(findings([right(), ...certificates], [heldAs(salted), heldAs(plain)])).at(-1),
    'proven oneProven',
  );
});

test('each of several pairs is proven separately', async (t) => {
  const names = ['a', 'b', 'c'];
  const texts = names.map((name, at) =>
    sampleText({
      hashScheme: 'sha256-plain-v1',
      change: { fileHash: sha256(name) },
      transaction: { Sequence: 100 + at },
    }),
  );
  // The memo of the sample is about another file, so the ledger's answer is set here.
  const files = names.map((name) => readItem(`${name}.txt`, sha256(name)));
  const certificates = texts.map((text, at) => readCertificate(`${names[at]}.json`, text));
  const held = texts.map((text, at) => {
    const { memo } = heldAs(text);
    return heldAs(text, { memo: { ...memo, fileHash: sha256(names[at] ?? '') } });
  });
  t.strictSame(outcomes(findings([...files, ...certificates], held)), [
    ...names.map((name) => `${name}.txt + ${name}.json: proven proven`),
    'proven allProven',
  ]);
});

test('a bundle with a replaced file hash matches by its commitment and is inconsistent', async (t) => {
  const { checksum: _, ...value } = JSON.parse(salted);
  value.file.fileHash = sha256('something else');
  const forged = JSON.stringify({ ...value, checksum: bundleChecksum(value) });
  const certificate = readCertificate('forged.json', forged, { isConsistent: false });
  t.strictSame(outcomes(findings([right(), certificate], [heldAs(salted)])), [
    'contract.txt + forged.json: disproven certificateIsBroken',
  ]);
});

test('two files named by a contradictory certificate get a verdict each', async (t) => {
  const { checksum: _, ...value } = JSON.parse(salted);
  value.file.fileHash = sha256('other');
  const forged = JSON.stringify({ ...value, checksum: bundleChecksum(value) });
  const certificate = readCertificate('forged.json', forged, { isConsistent: false });
  const given = findings([wrong(), right(), certificate], [heldAs(salted)]);
  t.strictSame(outcomes(given).slice(0, 2), [
    'other.txt + forged.json: disproven certificateIsBroken',
    'contract.txt + forged.json: disproven certificateIsBroken',
  ]);
  const { cards } = judgeItems(given);
  t.equal(new Set(cards.map(({ key }) => key)).size, 2);
  const fileSteps = cards.map(({ judgement }) =>
    judgement.steps.find(({ name }) => name === 'file'),
  );
  t.strictSame(
    fileSteps.map((step) => step?.status),
    ['noted', 'failed'],
  );
});

test('a form for sharing matches its file and asks for the nonce', async (t) => {
  const shared = () => readCertificate('shared.json', shareBundle(sampleBundle()));
  const given = findings([right(), shared()], [heldAs(salted)]);
  t.strictSame(outcomes(given), ['contract.txt + shared.json: open needsNonce']);
  t.ok(judgeItems(given).needsNonce);
  t.strictSame(outcomes({ ...given, typedNonce: nonce }), [
    'contract.txt + shared.json: proven proven',
  ]);
  t.strictSame(outcomes({ ...given, typedNonce: '0'.repeat(64) }), [
    'contract.txt + shared.json: disproven fileOrNonceDiffers',
  ]);
  const second = sampleText({ transaction: { Sequence: 9 } });
  const { memo } = heldAs(second);
  const elsewhere = heldAs(second, { memo: { ...memo, fileHash: 'e'.repeat(64) } });
  const other = readCertificate('other.json', second);
  const lacking = { ...other.read?.certificate, nonce: null, commitment: 'e'.repeat(64) };
  Object.assign(other.read ?? {}, { certificate: lacking });
  const both = findings([right(), shared(), other], [heldAs(salted), elsewhere]);
  t.match(
    outcomes({ ...both, typedNonce: nonce }),
    ['contract.txt + shared.json: proven proven', 'contract.txt + other.json: open needsNonce'],
    'the nonce of one is not applied to the other',
  );
});

test('a verdict names the party on whose word it rests', async (t) => {
  const basisOf = (more: Parameters<typeof findings>[2], items = [right()]) => {
    const { cards } = judgeItems(findings(items, [heldAs(plain)], more));
    return cards.map(({ judgement }) => judgement.basis);
  };
  const typed = { typedHash: heldAs(plain).transactionHash };
  t.strictSame(basisOf(typed), ['server']);
  t.strictSame(basisOf({ ...typed, isServiceAlone: true }), ['service']);
  t.strictSame(basisOf({ ...typed, isServiceAlone: true }, []), ['service'], 'a record alone');
  t.strictSame(basisOf({ ...typed }, [wrong()]), [null], 'a file is disproven by nobody’s word');
});

test('the summary leaves open what the cards leave open', async (t) => {
  const checkedAs = (status: 'ok' | 'stated' | 'notChecked') => ({
    steps: [{ name: 'issuer' as const, status, text: 'issuerSigned' }],
    validators: null,
    timestamp: null,
  });
  const [one, two] = [readCertificate('a.json', salted), readCertificate('b.json', plain)];
  const limits = (
    first: Parameters<typeof checkedAs>[0],
    second: Parameters<typeof checkedAs>[0],
    more: Parameters<typeof findings>[2] = {},
  ) => {
    const checksOf = (item: Item) => checkedAs(item === one ? first : second);
    const given = [right(), one, two].map((item) => {
      if (item.read?.certificate) Object.assign(item.read, { bundle: {} });
      return item;
    });
    const found = findings(given, [heldAs(salted), heldAs(plain)], { checksOf, ...more });
    return summarise(judgeItems(found).cards)?.limits;
  };
  t.strictSame(limits('notChecked', 'notChecked'), ['summary.nothingMore', 'summary.limitClaims']);
  t.strictSame(limits('ok', 'ok'), ['summary.nothingMore', 'summary.limitSigned']);
  t.strictSame(limits('ok', 'stated'), ['summary.nothingMore', 'summary.limitDiffers']);
  t.strictSame(limits('stated', 'stated', { isServiceAlone: true }), [
    'summary.onlyStated',
    'summary.limitStated',
  ]);
  const strangers = findings([right(), wrong()], []);
  t.strictSame(summarise(judgeItems(strangers).cards)?.limits, []);
});

test('without the verifier of signatures a certificate is not proven, whoever confirms its transaction', async (t) => {
  const certificate = readCertificate('c.json', salted);
  if (certificate.read) Object.assign(certificate.read, { bundle: {} });
  for (const isServiceAlone of [false, true]) {
    const checksOf = () => 'missing' as const;
    const given = findings([right(), certificate], [heldAs(salted)], { checksOf, isServiceAlone });
    t.strictSame(outcomes(given), ['contract.txt + c.json: unknown verifierMissing']);
  }
});

test('nobody is asked about the sample, also with a named server', async (t) => {
  const served = { answerTo: () => ({ found: 'no' as const }), namedAnswerTo: () => null };
  for (const [typedHash, asked] of [
    [sampleTransaction, false],
    [transactionHash, true],
  ] as const) {
    const { cards } = judgeItems(findings([right()], [], { typedHash, ...served }));
    const steps = cards.flatMap(({ judgement }) => judgement.steps.map(({ name }) => name));
    t.equal(steps.includes('server'), asked);
  }
});

test('a typed transaction is matched to its file', async (t) => {
  const typed = { typedHash: heldAs(plain).transactionHash };
  const given = (items: Item[]) => findings(items, [heldAs(plain)], typed);
  t.strictSame(outcomes(given([])), ['transaction: open recordedByServer']);
  t.strictSame(outcomes(given([right()])), ['contract.txt: proven proven']);
  t.strictSame(outcomes(given([wrong()])), ['other.txt: disproven hashIsNotAnchored']);
  t.strictSame(outcomes(given([wrong(), right()])), [
    'other.txt: disproven nothingBelongs',
    'contract.txt: proven proven',
    'partial someProven',
  ]);
  const many = [wrong(), readItem('third.txt', sha256('third'))];
  t.strictSame(outcomes(given(many)), [
    'transaction: open fileNotGivenToo',
    'other.txt: disproven nothingBelongs',
    'third.txt: disproven nothingBelongs',
    'disproven noneProven',
  ]);
  const unanswered = findings(many, [{ found: 'unreachable' }], typed);
  t.match(outcomes(unanswered)[1], 'other.txt: unknown fileNotCompared');
});

test('files that match on the word of the service alone are not proven', async (t) => {
  const alone = { isServiceAlone: true };
  const given = [right(), readCertificate('c.json', salted)];
  t.strictSame(outcomes(findings(given, [heldAs(salted)], alone)), [
    'contract.txt + c.json: partial stated',
  ]);
  const [, certificate] = given;
  const both = [right(), certificate as Item, wrong()];
  t.strictSame(outcomes(findings(both, [heldAs(salted)], alone)), [
    'contract.txt + c.json: partial stated',
    'other.txt: disproven noCertificate',
    'partial someStated',
  ]);
  const pairs = [...given, readCertificate('d.json', plain)];
  t.equal(
    outcomes(findings(pairs, [heldAs(salted), heldAs(plain)], alone)).at(-1),
    'partial allStated',
  );
});

test('a typed transaction of a salted proof matches files by the nonce', async (t) => {
  const given = (items: Item[], typedNonce: string | null) =>
    findings(items, [heldAs(salted)], { typedHash: transactionHash, typedNonce });
  t.strictSame(outcomes(given([right()], null)), ['contract.txt: open needsNonce']);
  const both = [right(), wrong()];
  t.strictSame(outcomes(given(both, null)), [
    'transaction: open needsNonce',
    'contract.txt: open needsNonce',
    'other.txt: open needsNonce',
    'open missing',
  ]);
  t.strictSame(outcomes(given(both, nonce)), [
    'contract.txt: proven proven',
    'other.txt: disproven nothingBelongs',
    'partial someProven',
  ]);
  t.strictSame(outcomes(given([right()], '0'.repeat(64))), [
    'contract.txt: disproven fileOrNonceDiffers',
  ]);
});

test('a typed transaction that belongs to a certificate is shown only once', async (t) => {
  const certificate = readCertificate('c.json', salted);
  const typed = { typedHash: transactionHash };
  const given = findings([certificate, right()], [heldAs(salted)], typed);
  t.strictSame(outcomes(given), ['contract.txt + c.json: proven proven']);
  const broken = readCertificate('c.json', salted, { isConsistent: false });
  t.equal(
    outcomes({ ...given, items: [broken, right()] }).length,
    3,
    'unless the certificate was invented around it',
  );
});

test('a certificate can be the file of another certificate', async (t) => {
  const inner = readCertificate('inner.json', salted);
  const text = sampleText({
    hashScheme: 'sha256-plain-v1',
    change: { fileHash: String(inner.read?.fileHash) as Digest },
  });
  const { memo } = heldAs(text);
  const held = heldAs(text, { memo: { ...memo, fileHash: String(inner.read?.fileHash) } });
  const outer = readCertificate('outer.json', text);
  for (const given of orders([inner, outer])) {
    t.strictSame(outcomes(findings(given, [held, heldAs(salted)])), [
      'inner.json + outer.json: proven proven',
    ]);
  }
  t.strictSame(outcomes(findings([inner, outer, right()], [held, heldAs(salted)])), [
    'contract.txt + inner.json: proven proven',
    'inner.json + outer.json: proven proven',
    'proven allProven',
  ]);
});

const earlier = content.previousTransactionHash ?? '';
const earlierHash = sha256('the first draft');
const heldBefore = heldAs(plain, {
  transactionHash: earlier,
  memo: { fileHash: earlierHash, hashScheme: 'sha256-plain-v1' },
  ledgerCloseTime: '2026-11-19T10:00:00.000Z',
});
const chain: NonNullable<ReturnType<Findings['chainOf']>> = {
  links: [{ transactionHash: earlier, answer: { found: 'yes', data: heldBefore } }],
  isFollowing: false,
};

test('the ledger distinguishes the file of an earlier revision from an unrelated file', async (t) => {
  const draft = readItem('draft.txt', earlierHash);
  const given = findings([readCertificate('c.json', salted), draft], [heldAs(salted)], {
    chainOf: () => chain,
  });
  t.strictSame(outcomes(given), [
    'c.json: open earlierGiven',
    'draft.txt: partial earlierRevision',
    'partial earlierOnly',
  ]);
  const [, { judgement } = { judgement: null }] = judgeItems(given).cards;
  t.match(judgement, { values: { time: '2026-11-19T10:00:00.000Z' } });
  t.match(judgement?.steps, [{ name: 'revision', status: 'stated' }], 'only the service states it');
  for (const [change, outcome] of [
    [{ network: 'testnet' as const }, 'partial earlierRevisionTestnet'],
    [{ standalone: true }, 'trial earlierRevisionStandalone'],
  ] as const) {
    const answer = { found: 'yes' as const, data: { ...heldBefore, ...change } };
    const links = [{ transactionHash: earlier, answer }];
    t.match(outcomes({ ...given, chainOf: () => ({ ...chain, links }) })[1], outcome);
  }
  const following = { ...given, chainOf: () => ({ ...chain, isFollowing: true }) };
  t.match(outcomes(following)[1], 'draft.txt: open asking', 'no verdict before the answer');
  const lost = {
    ...chain,
    links: [{ transactionHash: earlier, answer: { found: 'no' as const } }],
  };
  t.match(outcomes({ ...given, chainOf: () => lost })[1], 'draft.txt: disproven noCertificate');
});

test('an earlier revision with its own certificate is proven, and the later one says so', async (t) => {
  const before = sampleText({ hashScheme: 'sha256-plain-v1', change: { fileHash: earlierHash } });
  const first = readCertificate('first.json', before);
  const issued = { transactionHash: earlier, previous: null };
  const closeTimeIso = heldBefore.ledgerCloseTime;
  Object.assign(first.read?.certificate ?? {}, { ...issued, closeTimeIso });
  const draft = readItem('draft.txt', earlierHash);
  const held = [heldAs(salted), heldBefore];
  t.strictSame(outcomes(findings([readCertificate('c.json', salted), first, draft], held)), [
    'c.json: open earlierGiven',
    'draft.txt + first.json: proven proven',
    'partial filesProven',
  ]);
});

test('unusable certificates say why, and an unrelated PDF waits for a certificate', async (t) => {
  for (const [why, kind] of [
    ['severalBundles', 'disproven'],
    ['unsearchedPdf', 'disproven'],
    ['malformedBundle', 'disproven'],
    ['newerBundle', 'unknown'],
  ] as const) {
    const item = readItem('c.pdf', sha256('c'), { form: 'pdf', why });
    t.strictSame(outcomes(findings([item])), [`c.pdf: ${kind} ${why}`]);
  }
  const unread = readItem('c.pdf', sha256('c'), { form: 'pdf', why: 'unreadablePdf' });
  t.strictSame(outcomes(findings([unread])), ['c.pdf: disproven malformedBundle']);
  const scan = readItem('scan.pdf', sha256('s'), { form: 'pdf', why: 'noBundle' });
  t.strictSame(outcomes(findings([scan])), ['scan.pdf: open needsTransaction']);
});

test('a file stays open while another file that may belong to it is being read', async (t) => {
  const waiting = { ...readItem('slow.bin', ''), status: 'waiting', read: null } as Item;
  const given = [right(), waiting];
  t.strictSame(outcomes(findings(given)), [
    'contract.txt: open reading',
    'slow.bin: open reading',
    'open busy',
  ]);
  const proven = outcomes(
    findings([...given, readCertificate('c.json', salted)], [heldAs(salted)]),
  );
  t.match(proven, ['contract.txt + c.json: proven proven', 'slow.bin: open reading', 'open busy']);
  const large = { ...waiting, file: { name: 'slow.bin', size: 8_000_000_000 } } as Item;
  t.strictSame(
    outcomes(findings([right(), large])).slice(0, 2),
    ['contract.txt: open needsTransaction', 'slow.bin: open reading'],
    'no certificate is as large',
  );
  const unread = { ...waiting, status: 'unread' } as Item;
  t.strictSame(outcomes(findings([...given.slice(0, 1), unread])), [
    'contract.txt: open needsTransaction',
    'slow.bin: unknown unread',
    'unknown notChecked',
  ]);
  const uncomputed = findings([right(), readCertificate('c.json', salted)], [heldAs(salted)], {
    commitmentOf: () => null,
  });
  t.strictSame(outcomes(uncomputed), ['contract.txt + c.json: open reading']);
});

test('the overall result is proven only if every card is proven', async (t) => {
  const second = sampleText({
    transaction: { Sequence: 8 },
    change: { standalone: true, network: 'testnet' },
  });
  const pairs = [right(), readCertificate('a.json', salted)];
  const rehearsed = readCertificate('b.json', second);
  const held = [heldAs(salted), heldAs(second)];
  t.strictSame(outcomes(findings([...pairs, rehearsed], held)).slice(1), [
    'contract.txt + b.json: trial provenStandalone',
    'partial filesProven',
  ]);
  const summary = summarise(judgeItems(findings([...pairs, rehearsed, wrong()], held)).cards);
  t.match(summary, {
    values: { all: 2, proven: 1 },
    counts: [
      { name: 'proven', count: 1 },
      { name: 'unmatched', count: 1 },
    ],
  });
});
