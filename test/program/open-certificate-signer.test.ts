import { execFile } from 'node:child_process';
import { chmod, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pino from 'pino';
import { type Test, test } from 'tap';
import { makeSigningKey } from '../../src/certificates/signature/self-made-key.ts';
import { Secret } from '../../src/config/secret.ts';
import { CannotServe } from '../../src/program/cannot-serve.ts';
import { openCertificateSigner } from '../../src/program/open-certificate-signer.ts';
import { newFolder } from '../support/blobs.ts';

const execute = promisify(execFile);
const dayMs = 86_400_000;
const yearMs = 365.25 * dayMs;

/** A folder for DATA_DIR, and the opening of the signer in it with all that is logged. */
async function newOperator(t: Test) {
  const dataDir = await newFolder(t);
  const lines: string[] = [];
  const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) });
  const open = (
    file: string | null = null,
    password = 'secret',
    databaseUrl: string | null = null,
  ) =>
    openCertificateSigner({
      log,
      config: {
        dataDir,
        certificateSigning: file === null ? null : { file, password: new Secret(password) },
        databaseUrl: databaseUrl === null ? null : new Secret(databaseUrl),
        timestampAuthority: null,
      },
    });
  return { dataDir, lines, open };
}

/** A PKCS #12 file with mode 0600 and the password "secret". */
async function newPkcs12(folder: string, ...extensions: readonly string[]): Promise<string> {
  const [key, cert, file] = ['k.pem', 'c.pem', 'key.p12'].map((name) => join(folder, name));
  await execute('openssl', [
    ...['req', '-x509', '-nodes', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256'],
    ...['-subj', '/CN=Example Ltd', '-days', '400', '-keyout', `${key}`, '-out', `${cert}`],
    ...extensions.flatMap((extension) => ['-addext', extension]),
  ]);
  await execute('openssl', [
    ...['pkcs12', '-export', '-inkey', `${key}`, '-in', `${cert}`],
    ...['-out', `${file}`, '-passout', 'pass:secret'],
  ]);
  await chmod(`${file}`, 0o600);
  return `${file}`;
}

test('a configured key signs, and nothing is logged', async (t) => {
  const { dataDir, open, lines } = await newOperator(t);
  const file = await newPkcs12(dataDir, 'keyUsage=critical,digitalSignature');
  t.ok(((await open(file))?.room() ?? 0) > 1_536);
  t.strictSame(lines, []);
});

test('a wrong password ends the start and is not repeated', async (t) => {
  const { dataDir, open, lines } = await newOperator(t);
  const file = await newPkcs12(dataDir);
  const error = await open(file, 'not-the-password').catch((error: unknown) => error);
  t.ok(error instanceof CannotServe);
  t.match(error, { message: /^CERTIFICATE_SIGNING_KEY: \S+key\.p12 .*the password is wrong/ });
  t.notMatch(`${error}${lines}`, 'not-the-password');
});

test('a file that is missing, or no PKCS #12 file, ends the start', async (t) => {
  const { dataDir, open } = await newOperator(t);
  await t.rejects(open(join(dataDir, 'absent.p12')), /absent\.p12 cannot be read \(ENOENT\)/);
  const file = join(dataDir, 'text.p12');
  await writeFile(file, 'nothing');
  await t.rejects(open(file), /text\.p12 is not a PKCS #12 file/);
});

test('a certificate that may not sign documents ends the start', async (t) => {
  const { dataDir, open } = await newOperator(t);
  const file = await newPkcs12(dataDir, 'keyUsage=critical,keyAgreement,keyCertSign');
  await t.rejects(open(file), {
    constructor: CannotServe,
    message: /CERTIFICATE_SIGNING_KEY: .*may not sign documents/,
  });
});

test('a certificate for non-repudiation alone signs', async (t) => {
  const { dataDir, open } = await newOperator(t);
  t.ok(await open(await newPkcs12(dataDir, 'keyUsage=critical,nonRepudiation')));
});

test('a key that other users can read is named in a warning', async (t) => {
  const { dataDir, open, lines } = await newOperator(t);
  const file = await newPkcs12(dataDir);
  for (const mode of [0o640, 0o604, 0o620]) {
    await chmod(file, mode);
    t.ok(await open(file));
    t.match(JSON.parse(lines.pop() ?? ''), { level: 40, file, mode: mode.toString(8) });
  }
});

test('an expired certificate signs nothing, and the start logs an error', async (t) => {
  const { dataDir, open, lines } = await newOperator(t);
  const file = join(dataDir, 'certificate-signing.pem');
  await writeFile(file, await makeSigningKey(new Date(Date.now() - 21 * yearMs)), { mode: 0o600 });
  t.equal((await open())?.room(), null);
  t.equal(lines.length, 1);
  t.match(JSON.parse(lines[0] ?? ''), { level: 50, msg: /issued without a signature/ });
});

test('a certificate that expires within 30 days signs, and the start logs a warning', async (t) => {
  const { dataDir, open, lines } = await newOperator(t);
  const file = join(dataDir, 'certificate-signing.pem');
  const made = new Date(Date.now() - 20 * yearMs + 10 * dayMs);
  await writeFile(file, await makeSigningKey(made), { mode: 0o600 });
  t.not((await open())?.room(), null);
  t.match(JSON.parse(lines[0] ?? ''), { level: 40, msg: /expires soon/ });
});

test('the embedded default makes one key for all starts, which only its user can read', async (t) => {
  const { dataDir, open, lines } = await newOperator(t);
  const file = join(dataDir, 'certificate-signing.pem');
  t.ok(await open());
  const made = await readFile(file, 'utf8');
  t.equal((await stat(file)).mode & 0o777, 0o600);
  t.ok(await open());
  t.equal(await readFile(file, 'utf8'), made);
  t.strictSame(lines, []);
});

test('an external database without a configured key has no signer', async (t) => {
  const { open } = await newOperator(t);
  t.equal(await open(null, '', 'postgres://database.example/proofmark'), null);
});
