import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Test, test } from 'tap';
import { buildBundle, shareBundle } from '../../src/certificates/build-bundle.ts';
import { noEvidence } from '../../src/certificates/evidence-summary.ts';
import type { Digest } from '../../src/domain/proof/digest.ts';
import { type HashScheme, hashSchemes } from '../../src/domain/proof/hash-scheme.ts';
import { proofMemo } from '../../src/domain/proof/memo.ts';
import type { ProofState } from '../../src/domain/proof/state.ts';
import { currentTemplate, templateVersions } from '../../src/domain/proof/template-version.ts';
import type { ProofId } from '../../src/domain/ulid.ts';
import { createStandaloneLedger } from '../../src/embedded/standalone-ledger/create-standalone-ledger.ts';
import { bundleChecksum } from '../../src/verifier/bundle/bundle-checksum.ts';
import { readBundle } from '../../src/verifier/bundle/read-bundle.ts';
import { checkNames } from '../../src/verifier/check/check.ts';
import { attestationChecks } from '../../src/verifier/check/check-attestation.ts';
import { createAnchoringSite } from '../support/anchoring-site.ts';
import { attaching, packedStreamOf, replacing } from '../support/attached-pdf.ts';
import { readDocument } from '../support/documents.ts';
import { opsIn } from '../support/operator.ts';
import { type Outcome, projectRoot, run } from '../support/run.ts';
import {
  sampleFile,
  sampleStamped,
  sampleStampedText,
  sampleText,
  sampleWallet,
} from '../support/sample-bundle.ts';
import { createTimestampAuthority } from '../support/timestamp-authority.ts';
import { writePdf } from '../support/write-pdf.ts';

/** An empty folder in which the command runs without any environment. */
async function createDesk(t: Test) {
  const folder = await mkdtemp(join(tmpdir(), 'verify-'));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  return {
    folder,
    async put(name: string, content: string | Buffer): Promise<string> {
      await writeFile(join(folder, name), content);
      return name;
    },
    verify(...args: readonly string[]): Promise<Outcome> {
      return opsIn(t, { env: {}, cwd: folder }, 'verify', ...args);
    },
  };
}

/** Outcome of each check by its name, from the printed lines. */
function outcomesByName({ stdout }: Pick<Outcome, 'stdout'>): Readonly<Record<string, string>> {
  const line = /^(ok|FAILED|not checked) +(\S+(?: \S+)*) {2,}\S/;
  const lines = stdout.split('\n\n')[0]?.split('\n') ?? [];
  return Object.fromEntries(
    lines.map((text) => {
      const [, outcome = '', name = ''] = line.exec(text) ?? [];
      return [name, outcome];
    }),
  );
}

function namesOf(outcome: Outcome, wanted: string): string[] {
  const all = Object.entries(outcomesByName(outcome));
  return all.filter(([, how]) => how === wanted).map(([name]) => name);
}

/** The bundle that the service issues for a proof in this state. */
function bundleOf(proofId: ProofId, state: ProofState, revision: number | null = null): string {
  if (state.status !== 'completed') throw new Error(`the proof is ${state.status}`);
  const { request, prepared, anchor } = state;
  const { transactionHash: hash } = anchor;
  const { commitment, fileHash, hashScheme } = request;
  const previous = prepared.previousTransactionHash;
  const content = {
    ...request,
    ...anchor,
    templateVersion: currentTemplate,
    proofId,
    issuedAt: new Date().toISOString(),
    standalone: true,
    account: prepared.account,
    organisationName: 'Ö',
    workspaceName: 'W',
    revision,
    previousTransactionHash: previous,
    verifyUrl: `http://127.0.0.1:3000/verify/${hash}`,
    verifyPageUrl: null,
    publicApiUrl: `http://127.0.0.1:3000/api/public/verify/${hash}`,
    explorerUrl: `http://127.0.0.1:3000/verify/${hash}`,
    ...{ classification: null, verifier: null },
    evidence: noEvidence,
  };
  const memo = proofMemo({ fileHash: commitment ?? fileHash, hashScheme, previous });
  return buildBundle(content, {
    ...anchor,
    ...prepared,
    ...anchor,
    memo,
    log: null,
    attestation: null,
    timestamp: null,
    issuer: null,
  });
}

/** A log and a ledger, with functions to anchor files. */
async function createSite(t: Test) {
  const site = await createAnchoringSite(t);
  await site.start();
  const anchor = async (text: string, hashScheme?: HashScheme) => {
    const fileHash = createHash('sha256').update(text).digest('hex') as Digest;
    const order = { fileHash, queued: true, ...(hashScheme ? { hashScheme } : {}) };
    const proofId = await site.request(order);
    const [state] = await site.settle([proofId]);
    return bundleOf(proofId, state ?? { status: 'unknown' });
  };
  const desk = await createDesk(t);
  return { site, anchor, desk, ofSite: ['--ledger', site.ledger.url] };
}

const words = 'The very words.\n';

test('an anchored proof of any scheme can be verified by anybody', async (t) => {
  const { site, anchor, desk, ofSite } = await createSite(t);
  for (const hashScheme of hashSchemes) {
    const text = `${words}${hashScheme}`;
    const document = await desk.put('document.txt', text);
    const bundle = await desk.put('bundle.json', await anchor(text, hashScheme));
    const account = `${sampleWallet.address}, ${site.wallet.address}`;
    const of = ['--bundle', bundle, '--file', document, '--account', account];

    const asked = await desk.verify(...of, ...ofSite);
    t.match(asked, { code: 0, stderr: '' });
    t.strictSame(Object.keys(outcomesByName(asked)), namesOfBundle);
    t.strictSame(namesOf(asked, 'not checked'), [...ofLog, 'statements']);
    t.strictSame(namesOf(asked, 'FAILED'), []);
    t.match(
      asked.stdout,
      /\n\nProven: this file existed, byte for byte, no later than \d{4}-.*Z\. .*no evidential value/,
    );
    t.match(asked.stdout, /Nothing more is proven: names, .* are claims, and not verified\./);

    const offline = await desk.verify(...of);
    t.match(offline, { code: 0, stderr: '' });
    t.strictSame(namesOf(offline, 'not checked'), [...ofLedger, ...ofLog, 'statements']);
    t.match(
      offline.stdout,
      /\n\nNot proven yet: no check failed, but these checks could not be made: network, /,
    );
  }
  t.strictSame((await readdir(desk.folder)).sort(), ['bundle.json', 'document.txt']);
});

const namesOfBundle = checkNames.filter(
  (name) =>
    !['pages', 'log witnesses', 'timestamp', 'timestamp authority'].includes(name) &&
    !['issuer signature', 'issued certificate'].includes(name) &&
    !attestationChecks.includes(name),
);
/** Checks that are not possible for a bundle issued before the log was published. */
const ofLog = ['log entry', 'log checkpoint'];
const ofLedger = ['network', 'validated ledger', 'anchored transaction'];

test('verification shows which revision a revision follows', async (t) => {
  const { site, desk, ofSite } = await createSite(t);
  const first = await site.upload();
  const second = await site.upload(first.rootDocumentId);
  const states = await site.settle([first.proofId, second.proofId]);
  const bundle = bundleOf(second.proofId, states[1] ?? { status: 'unknown' }, 2);
  const [before] = states;
  const previous = before?.status === 'completed' && before.anchor.transactionHash;
  t.equal(readBundle(bundle).revision.previousTransactionHash, previous);
  const outcome = await desk.verify('--bundle', await desk.put('b.json', bundle), ...ofSite);
  t.equal(outcome.code, 0);
  t.match(outcome.stdout, /^ok +memo .*the previous revision/m);
  t.strictSame(namesOf(outcome, 'not checked'), ['file hash', 'account', ...ofLog, 'statements']);
});

test('verification fails for another file, account or ledger, and for an altered bundle', async (t) => {
  const { anchor, desk, ofSite } = await createSite(t);
  const text = await anchor(words);
  const bundle = await desk.put('bundle.json', text);
  const document = await desk.put('document.txt', words);
  const failing = async (...args: readonly string[]) => {
    const outcome = await desk.verify(...args);
    t.match(outcome, { code: 1, stderr: '' });
    t.match(outcome.stdout, /\n\nNOT PROVEN: .* FAILED/);
    return namesOf(outcome, 'FAILED');
  };
  const other = await desk.put('other.txt', `${words} `);
  t.strictSame(await failing('--bundle', bundle, '--file', other, ...ofSite), ['file hash']);
  const { address } = sampleWallet;
  t.strictSame(await failing('--bundle', bundle, '--account', address), ['account']);

  const { nonce } = readBundle(text).commitment;
  const forged = JSON.parse(text.replace(nonce ?? '-', 'ab'.repeat(32)));
  const checksum = bundleChecksum(forged);
  const forgery = await desk.put('forged.json', JSON.stringify({ ...forged, checksum }));
  t.strictSame(await failing('--bundle', forgery, '--file', document), ['commitment']);

  const stranger = await createStandaloneLedger({ closeMs: 0 });
  t.teardown(() => stranger.stop());
  const onStranger = await failing('--bundle', bundle, '--ledger', stranger.url);
  t.strictSame(onStranger, ['validated ledger']);
  const mainnet = await createStandaloneLedger({ closeMs: 0, networkId: 0 });
  t.teardown(() => mainnet.stop());
  t.strictSame(await failing('--bundle', bundle, '--ledger', mainnet.url), ['network']);
  const nobody = await desk.verify('--bundle', bundle, '--ledger', 'ws://127.0.0.1:1');
  t.equal(nobody.code, 1);
  t.match(nobody.stdout, /^FAILED +network +ws:\/\/127\.0\.0\.1:1 cannot be used for testnet/m);
  // The sample names mainnet by its network_id, but this server is not one of the public ones.
  const sample = await desk.put('sample.json', sampleText());
  const onSample = await failing('--bundle', sample, '--ledger', mainnet.url);
  t.strictSame(onSample, ['network', 'validated ledger']);
});

test('without the nonce the commitment is not checked, and the file is not proven', async (t) => {
  const { anchor, desk, ofSite } = await createSite(t);
  const shared = shareBundle(readBundle(await anchor(words)));
  const bundle = await desk.put('shared.json', shared);
  const document = await desk.put('document.txt', words);
  const outcome = await desk.verify('--bundle', bundle, '--file', document, ...ofSite);
  t.match(outcome, { code: 0, stderr: '' });
  t.strictSame(namesOf(outcome, 'not checked'), ['commitment', 'account', ...ofLog, 'statements']);
  t.match(
    outcome.stdout,
    /\n\nNot proven yet: no check failed, but this check could not be made: commitment\./,
  );
});

test('a certificate gives the same result as its attached bundle', async (t) => {
  const desk = await createDesk(t);
  const text = sampleText();
  const document = await desk.put('document.txt', sampleFile);
  const stream = `<< /Length ${Buffer.byteLength(text)} >>\nstream\n${text}\nendstream`;
  const pdf = writePdf(['<< /AF [<< /EF << /F 2 0 R >> >>] >>', stream]);
  const certificate = await desk.put('certificate.pdf', pdf);
  const bundle = await desk.put('bundle.json', `\ufeff${text}`);
  const byPdf = await desk.verify('--certificate', certificate, '--file', document);
  t.match(byPdf, { code: 0, stderr: '' });
  const pages = /^not checked {2}pages .*\n/m;
  t.match(byPdf.stdout, pages, 'the pages of the PDF are not checked');
  const byBundle = await desk.verify('--bundle', bundle, '--file', document);
  t.equal(byPdf.stdout.replace(pages, ''), byBundle.stdout);
});

test('a certificate of any template is read, and nothing in it fails', async (t) => {
  const desk = await createDesk(t);
  const document = await desk.put('document.txt', sampleFile);
  for (const template of templateVersions) {
    const name = `certificate-template-${template}.pdf`;
    const certificate = join(projectRoot, 'test/certificates/samples', name);
    const outcome = await desk.verify('--certificate', certificate, '--file', document);
    t.match(outcome, { code: 0, stderr: '', stdout: /\n\nNot proven yet: no check failed/ }, name);
    const unchecked = ['account', ...ofLedger, 'log checkpoint', 'statements', 'pages'];
    t.strictSame(namesOf(outcome, 'not checked'), unchecked);
  }
});

test('a certificate whose bundle was replaced by an update of the PDF is refused', async (t) => {
  const desk = await createDesk(t);
  const stream = (text: string) => packedStreamOf(Buffer.from(text));
  const forgery = stream(sampleText({ change: { organisationName: 'Example Bank AG' } }));
  const pdf = replacing(attaching(stream(sampleText())), 3, forgery);
  const outcome = await desk.verify('--certificate', await desk.put('certificate.pdf', pdf));
  t.match(outcome, { code: 1, stdout: '' });
  t.match(outcome.stderr, /several different proof bundles.* Ask for the certificate as it was/);
  t.notMatch(outcome.stderr, /--bundle/, 'no advice to use another reader');
});

test('forged names are called claims that nothing proves', async (t) => {
  const { anchor, desk, ofSite } = await createSite(t);
  const { checksum: _, ...value } = JSON.parse(await anchor(words));
  value.certificate.organisationName = 'Example Bank AG';
  value.file.fileName = 'Deed.pdf';
  const forged = JSON.stringify({ ...value, checksum: bundleChecksum(value) });
  const bundle = await desk.put('forged.json', forged);
  const document = await desk.put('document.txt', words);
  const { stdout } = await desk.verify('--bundle', bundle, '--file', document, ...ofSite);
  t.match(
    stdout,
    /^not checked {2}statements +the names of organisation.* are claims\. .*made them up$/m,
  );
  t.match(stdout, /\n\nProven: .* names, dates and other statements .* claims, and not verified/);
  t.notMatch(stdout, /Example Bank AG|Deed\.pdf|issuer's word/);
});

test('with --json the result is one object', async (t) => {
  const desk = await createDesk(t);
  const bundle = await desk.put('bundle.json', sampleText());
  const good = await desk.verify('--bundle', bundle, '--json');
  t.match(good, { code: 0, stderr: '' });
  t.match(good.stdout, /^\{.*\}\n$/);
  const { checks, ...rest } = JSON.parse(good.stdout);
  t.match(rest, { proven: false, file: { fileName: String }, anchor: { ledgerIndex: Number } });
  t.strictSame(
    checks.map(({ name }: { name: string }) => name),
    namesOfBundle,
  );
  const other = await desk.put('other.txt', '');
  const bad = await desk.verify('--bundle', bundle, '--file', other, '--json');
  t.match(bad, { code: 1, stderr: '' });
  const failed = JSON.parse(bad.stdout).checks.filter(
    ({ outcome }: { outcome: string }) => outcome === 'failed',
  );
  t.match(failed, [{ name: 'file hash', detail: String }]);
});

test('control characters of a bundle do not reach the terminal', async (t) => {
  const desk = await createDesk(t);
  const { evidence, ...rest } = JSON.parse(sampleText());
  const data = `${evidence.memo.data}\u001b[2J\nok           everything\u202e`;
  const hostile = { ...rest, evidence: { ...evidence, memo: { ...evidence.memo, data } } };
  const bundle = await desk.put('bundle.json', JSON.stringify(hostile));
  const outcome = await desk.verify('--bundle', bundle);
  t.equal(outcome.code, 1);
  t.notOk(outcome.stdout.includes('\u001b') || outcome.stdout.includes('\u202e'));
  t.notMatch(outcome.stdout, /^ok +everything/m);
  t.strictSame(Object.keys(outcomesByName(outcome)), namesOfBundle);

  const fileName = '\u009b2J\u202efdp.exe\u2028\u{e0041}\u001b';
  const named = await desk.put('named.json', sampleText({ change: { fileName } }));
  const json = await desk.verify('--bundle', named, '--json');
  t.notMatch(json.stdout.trimEnd(), acting);
  t.equal(JSON.parse(json.stdout).file.fileName, fileName);

  const member = sampleText().replace('"version"', '"\\u001b[2J\\u202e\\n": 1, "version"');
  const malformed = await desk.verify('--bundle', await desk.put('malformed.json', member));
  t.match(malformed, { code: 1, stdout: '', stderr: /unknown member/ });
  t.notMatch(malformed.stderr.trimEnd(), acting);
  const missing = await desk.verify('--bundle', 'missing\u001b[2J');
  t.notMatch(missing.stderr.trimEnd(), acting);
});

const acting = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

test("through npm, paths are relative to the operator's working folder", async (t) => {
  const desk = await createDesk(t);
  await desk.put('bundle.json', sampleText());
  await desk.put('document.txt', sampleFile);
  const verify = ['verify', '--bundle', 'bundle.json', '--file', 'document.txt'];
  const command = ['npm', '--prefix', projectRoot, 'run', '--silent', 'ops', '--', ...verify];
  const outcome = await run(t, command, { cwd: desk.folder }).ended;
  t.match(outcome, { code: 0, stderr: '', stdout: /^ok +file hash/m });
});

test('without --account the result says that the account was not checked', async (t) => {
  const { anchor, desk, ofSite } = await createSite(t);
  const bundle = await desk.put('bundle.json', await anchor(words));
  const document = await desk.put('document.txt', words);
  const outcome = await desk.verify('--bundle', bundle, '--file', document, ...ofSite);
  t.match(outcome.stdout, /\n\nProven: .*The account that anchored the file was not checked/);
});

test('a time-stamp token is verified against certificates that the reader names', async (t) => {
  const desk = await createDesk(t);
  const authority = await createTimestampAuthority(t);
  const stranger = await createTimestampAuthority(t);
  const text = sampleStampedText();
  const token = await authority.tokenOf(
    await authority.answer(await authority.queryFor(Buffer.from(text))),
  );
  const stamped = sampleText({ stamped: token });
  const bundle = await desk.put('bundle.json', stamped);
  const linesOf = async (...args: readonly string[]) => {
    const { code, stdout } = await desk.verify('--bundle', bundle, ...args);
    return { code, stdout, ...outcomesByName({ stdout }) };
  };
  const unasked = await linesOf();
  t.match(unasked, { code: 0, timestamp: 'ok', 'timestamp authority': 'not checked' });
  const verified = await linesOf('--tsa-ca', authority.rootFile);
  t.match(verified, { code: 0, timestamp: 'ok', 'timestamp authority': 'ok' });
  t.match(
    verified.stdout,
    /existed no later than 2\d{3}-.*Z \(accuracy 1 s\), according to O=Proofmark tests, CN=authority\./,
  );
  t.match(
    verified.stdout,
    /\n\nNot proven yet: .*validated ledger/,
    'a token proves nothing alone',
  );
  const foreign = await linesOf('--tsa-ca', stranger.rootFile);
  t.match(foreign, { code: 1, timestamp: 'ok', 'timestamp authority': 'FAILED' });
  t.match(foreign.stdout, /no certificate that you named vouches for the token/);

  const other = sampleText({ ...sampleStamped, stamped: token });
  await desk.put('other.json', other);
  const swapped = await desk.verify('--bundle', 'other.json', '--tsa-ca', authority.rootFile);
  t.match(outcomesByName(swapped), { timestamp: 'FAILED', 'timestamp authority': 'not checked' });
  t.equal(swapped.code, 1);
  await desk.put('plain.json', sampleText());
  const plain = await desk.verify('--bundle', 'plain.json', '--tsa-ca', authority.rootFile);
  t.match(plain.stdout, /^not checked +timestamp authority +the bundle has no time-stamp token/m);

  const [commands] = readDocument('docs/verify.md').blocks.filter(
    ({ language }) => language === 'bash',
  );
  await desk.put('authority-root.pem', await readFile(authority.rootFile));
  const followed = await run(t, ['bash', '-ec', commands?.text ?? 'false'], { cwd: desk.folder })
    .ended;
  t.equal(followed.code, 0, followed.stderr);
  t.match(`${followed.stdout}${followed.stderr}`, /Verification: OK/);
  t.match(followed.stdout, /Time stamp: .*20\d\d/);
});

test('a mistake is reported in plain words on stderr', async (t) => {
  const desk = await createDesk(t);
  const bundle = await desk.put('bundle.json', sampleText());
  const garbage = await desk.put('garbage', Buffer.from([0xff, 0xfe, 0, 1]));
  const pdf = await desk.put('empty.pdf', writePdf(['<< >>']));
  const encrypted = join(projectRoot, 'test/certificates/samples/bundle/encrypted.pdf');
  const cases: readonly (readonly [readonly string[], RegExp])[] = [
    [[], /either --bundle FILE or --certificate FILE/],
    [['--bundle', bundle, '--certificate', pdf], /either --bundle FILE or --certificate FILE/],
    [['--bundle', 'none.json'], /cannot read none\.json: ENOENT/],
    [['--bundle', '.'], /cannot read \.: EISDIR/],
    [['--bundle', garbage], /cannot read garbage: the text of the proof bundle is not valid UTF-8/],
    [
      ['--bundle', pdf],
      /cannot read empty\.pdf: this is not a proof bundle: the text is not valid JSON/,
    ],
    [['--bundle', '/dev/zero'], /cannot read \/dev\/zero: the file is larger than/],
    [['--certificate', bundle], /cannot read bundle\.json: .*it is not a PDF/],
    [['--certificate', pdf], /no proof bundle is attached/],
    [['--certificate', encrypted], /the file is encrypted\. .*with --bundle instead/],
    [['--bundle', bundle, '--file', bundle, '--file', pdf], /only once/],
    [['--certificate', '/dev/zero'], /larger than/],
    [['--bundle', bundle, '--file', 'none.txt'], /cannot read none\.txt: ENOENT/],
    [['--bundle', bundle, '--ledger', 'https://xrplcluster.com'], /wss:/],
    [['--bundle', bundle, '--account', `${sampleWallet.address}x`], /not an account address/],
    [['--bundle', bundle, '--account', ''], /not an account address/],
    [['--bundle', bundle, '--tsa-ca', 'none.pem'], /cannot read none\.pem: ENOENT/],
    [['--bundle', bundle, '--tsa-ca', bundle], /bundle\.json: it has no certificate in PEM/],
  ];
  for (const [args, message] of cases) {
    const outcome = await desk.verify(...args);
    t.match(outcome, { code: 1, stdout: '', stderr: message });
    t.notMatch(outcome.stderr, /\n\s+at /, 'no stack trace');
  }
});

test('a reader that closes the pipe early causes no error', async (t) => {
  const desk = await createDesk(t);
  const bundle = await desk.put('bundle.json', sampleText());
  const command = `'${process.execPath}' '${join(projectRoot, 'ops/cli.ts')}' verify --bundle ${bundle}`;
  const { ended } = run(t, ['sh', '-c', `${command} | true`], { cwd: desk.folder });
  t.match(await ended, { code: 0, stderr: '' });
});
