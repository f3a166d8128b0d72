import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Test, test } from 'tap';
import { signNote } from '../../src/transparency-log/checkpoint/signed-note.ts';
import { pdfOf, recordOf, signedBundle } from '../support/issued-pdf.ts';
import { opsIn } from '../support/operator.ts';
import { sampleAttested, sampleLogSigner, sampleText } from '../support/sample-bundle.ts';
import { mirror } from '../support/vectors/other-log-vectors.ts';
import { otherLogKey, sha256 } from '../support/vectors/vector-bases.ts';

const older = pdfOf(sampleText({ attested: sampleAttested }));
const signed = signedBundle();
const pdf = pdfOf(signed);
/** The same bundle under other pages. */
const otherPages = pdfOf(signed, 'other');

async function createDesk(t: Test, recorded: unknown) {
  const folder = await mkdtemp(join(tmpdir(), 'verify-issued-'));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  const files = { 'certificate.pdf': pdf, 'other.pdf': otherPages, 'older.pdf': older };
  for (const [name, bytes] of Object.entries(files)) await writeFile(join(folder, name), bytes);
  await writeFile(join(folder, 'record.json'), JSON.stringify(recorded));
  return (certificate: string, ...args: readonly string[]) =>
    opsIn(t, { env: {}, cwd: folder }, 'verify', '--certificate', certificate, ...args);
}

const logKey = ['--log-key', sampleLogSigner.vkey];
const offline = ['--recorded', 'record.json', ...logKey];

test('a PDF that the log records is confirmed byte for byte', async (t) => {
  const verify = await createDesk(t, recordOf(pdf));
  const { code, stdout } = await verify('certificate.pdf', ...offline);
  t.equal(code, 0, stdout);
  t.match(
    stdout,
    /^ok +issued certificate +the log records this PDF, byte for byte, at position 2/m,
  );
  t.match(stdout, /^not checked +pages +the printed pages are as the issuer's log records them/m);
  const keyless = await verify('certificate.pdf', '--recorded', 'record.json');
  t.match(
    keyless.stdout,
    /^not checked +issued certificate .*--log-key/m,
    'its own keys are no keys',
  );
});

test('other pages around a genuine bundle are reported', async (t) => {
  const verify = await createDesk(t, recordOf(pdf));
  const { code, stdout } = await verify('other.pdf', ...offline);
  t.equal(code, 1, stdout);
  t.match(stdout, /^FAILED +issued certificate .*not the one that was issued; its pages may say/m);
  t.match(stdout, /^NOT PROVEN: this check FAILED: issued certificate\./m);
});

test('an error of the service that was saved as a record is no verdict', async (t) => {
  const verify = await createDesk(t, { success: false, code: 'CHECKPOINT_PENDING', message: 'm' });
  const { code, stdout, stderr } = await verify('certificate.pdf', ...offline);
  t.equal(code, 1);
  t.equal(stdout, '', 'no check is FAILED');
  t.match(stderr, /record\.json has no record, but an error of the service: CHECKPOINT_PENDING/);
});

test('a record that the log does not hold fails', async (t) => {
  const { data } = recordOf(pdf);
  for (const [change, reason] of [
    [{ leafIndex: 0 }, 'not in the tree'],
    [{ event: { ...data.event, metaHash: '0'.repeat(64) } }, 'not in the tree'],
    [{ event: { ...data.event, dataHash: '0'.repeat(64) } }, 'another PDF'],
    [{ event: { ...data.event, type: 'Anchored' } }, 'malformed'],
    [{ checkpoint: data.checkpoint.replace(/.{6}=\n$/, 'AAAAA=\n') }, 'forged|malformed'],
    [{ hashes: 'none' }, 'malformed'],
  ] as const) {
    const verify = await createDesk(t, recordOf(pdf, change));
    const { code, stdout } = await verify('certificate.pdf', ...offline);
    t.equal(code, 1, stdout);
    t.match(stdout, new RegExp(`^FAILED +issued certificate .*(${reason})`, 'm'));
  }
});

test('a record that the known log has not signed fails', async (t) => {
  const { data } = recordOf(pdf);
  const [body = ''] = data.checkpoint.split('\n\n');
  for (const signer of [otherLogKey, mirror]) {
    const checkpoint = signNote(`${body}\n`, [signer]);
    const verify = await createDesk(t, recordOf(pdf, { checkpoint }));
    const { code, stdout } = await verify('certificate.pdf', ...offline);
    t.equal(code, 1, stdout);
    t.match(stdout, /^FAILED +issued certificate .*signed with none of the given keys/m);
  }
  const verify = await createDesk(t, recordOf(pdf));
  const others = ['--recorded', 'record.json', '--log-key', mirror.vkey];
  const { stdout } = await verify('certificate.pdf', ...others);
  t.match(stdout, /^not checked +issued certificate .*no key of that log was given/m);
});

test('a service answers for its certificates, and its silence proves nothing', async (t) => {
  const verify = await createDesk(t, null);
  const asked: string[] = [];
  let answer: { status: number; body: string } = {
    status: 200,
    body: JSON.stringify(recordOf(pdf)),
  };
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(answer.body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => server.close());
  const { port } = server.address() as AddressInfo;
  const online = ['--server', `http://127.0.0.1:${port}/base`, ...logKey];
  t.match((await verify('certificate.pdf', ...online)).stdout, /^ok +issued certificate/m);
  t.strictSame(asked, [`/base/log/certificates/${sha256(pdf).toString('hex')}`]);
  answer = { status: 404, body: '{"success":false,"code":"CERTIFICATE_NOT_FOUND"}' };
  const unknown = await verify('certificate.pdf', ...online);
  t.equal(unknown.code, 1);
  t.match(unknown.stdout, /^FAILED +issued certificate .* has no record of these bytes/m);
  const { stdout, code } = await verify('older.pdf', ...online);
  t.match(stdout, /^not checked +issued certificate +.*before version 6/m);
  t.equal(code, 0);
  const elsewhere =
    '{"success":false,"code":"NOT_FOUND","message":"there is nothing at this path"}';
  for (const silence of [
    ...['{}', 'no JSON', 'x'.repeat(300_000)].map((body) => ({ status: 503, body })),
    ...[elsewhere, '', '[]'].map((body) => ({ status: 404, body })),
    ...['{}', '[]', '5', 'null', '{"data":null}'].map((body) => ({ status: 200, body })),
  ]) {
    answer = silence;
    const silent = await verify('certificate.pdf', ...online);
    t.match(silent.stdout, /^not checked +issued certificate +.*gave no usable answer/m);
  }
  for (const wrong of [
    ['--server', 'ftp://x', ...logKey],
    ['--server', 'https://user:secret@proofs.example', ...logKey],
    [...online, '--recorded', 'record.json'],
  ]) {
    const refused = await verify('certificate.pdf', ...wrong);
    t.not(refused.code, 0, wrong.join(' '));
    t.notMatch(refused.stderr, 'secret');
  }
});
