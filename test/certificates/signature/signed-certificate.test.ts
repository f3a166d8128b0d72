import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Test, test } from 'tap';
import { checkBundle } from '../../../src/certificates/check-bundle.ts';
import { renderCertificate } from '../../../src/certificates/pdf/render-certificate.ts';
import {
  createCertificateSigner,
  type SignerOptions,
} from '../../../src/certificates/signature/certificate-signer.ts';
import {
  findSignatureGap,
  placeSignature,
} from '../../../src/certificates/signature/place-signature.ts';
import { readPkcs12 } from '../../../src/certificates/signature/read-pkcs12.ts';
import {
  makeSigningKey,
  readSelfMadeKey,
} from '../../../src/certificates/signature/self-made-key.ts';
import type { SigningKey } from '../../../src/certificates/signature/signing-key.ts';
import { askAuthority } from '../../../src/timestamps/ask-authority.ts';
import { extractBundle } from '../../../src/verifier/bundle/extract-bundle.ts';
import { readBundle } from '../../../src/verifier/bundle/read-bundle.ts';
import { newFolder } from '../../support/blobs.ts';
import { checkWithQpdf } from '../../support/qpdf.ts';
import { sampleProof, sampleText } from '../../support/sample-bundle.ts';
import { createTimestampAuthority, serveTimestamps } from '../../support/timestamp-authority.ts';

const execute = promisify(execFile);
const hasPdfsig = await execute('pdfsig', ['-v']).then(
  () => true,
  () => false,
);

/** A PKCS #12 file of openssl, and its key as the service reads it. */
async function newPkcs12(t: Test, algorithm: readonly string[]) {
  const folder = await newFolder(t);
  const [key, cert, file] = ['key.pem', 'cert.pem', 'key.p12'].map((name) => join(folder, name));
  await execute('openssl', [
    ...['req', '-x509', '-nodes', '-newkey', ...algorithm, '-subj', '/CN=Example Ltd'],
    ...['-days', '2', '-keyout', `${key}`, '-out', `${cert}`],
  ]);
  await execute('openssl', [
    ...['pkcs12', '-export', '-inkey', `${key}`, '-in', `${cert}`],
    ...['-out', `${file}`, '-passout', 'pass:secret'],
  ]);
  return { folder, cert: `${cert}`, file: await readFile(`${file}`) };
}

const quiet = { stamp: null, now: () => new Date(), onUnstamped: () => {}, onInvalid: () => {} };

/** The sample certificate, signed. */
async function sign(key: SigningKey, options: Partial<SignerOptions> = {}) {
  const signer = createCertificateSigner({ ...quiet, ...options, key });
  const room = signer.room();
  if (room === null) throw new Error('the key is not valid now');
  const { content } = sampleProof();
  const rendered = await renderCertificate(content, Buffer.from(sampleText()), room);
  const gap = findSignatureGap(rendered, room);
  const cms = await signer.sign(gap.covered);
  return { pdf: Buffer.from(placeSignature(gap, cms)), cms, covered: gap.covered };
}

/** Output of `pdfsig`, which ends with 1 for an invalid signature. */
async function pdfsig(t: Test, pdf: Uint8Array): Promise<string> {
  const file = join(await newFolder(t), 'certificate.pdf');
  await writeFile(file, pdf);
  const { stdout } = await execute('pdfsig', ['-nocert', file]).catch((error) => error);
  return String(stdout);
}

const algorithms = {
  RSA: ['rsa:2048'],
  'P-256': ['ec', '-pkeyopt', 'ec_paramgen_curve:P-256'],
  'P-384': ['ec', '-pkeyopt', 'ec_paramgen_curve:P-384'],
} as const;

for (const [name, algorithm] of Object.entries(algorithms)) {
  test(`openssl accepts the signature of a PDF by ${name}, and that it names its certificate`, async (t) => {
    const { folder, cert, file } = await newPkcs12(t, algorithm);
    const { cms, covered } = await sign(await readPkcs12(file, 'secret'));
    const verify = async (content: Uint8Array) => {
      await writeFile(join(folder, 'cms.der'), cms);
      await writeFile(join(folder, 'covered'), content);
      return execute(
        'openssl',
        [
          ...['cms', '-verify', '-cades', '-binary', '-inform', 'DER', '-in', 'cms.der'],
          ...['-content', 'covered', '-CAfile', cert, '-purpose', 'any', '-out', 'out'],
        ],
        { cwd: folder },
      );
    };
    t.match(await verify(covered), { stderr: /successful/i });
    const altered = Buffer.from(covered);
    altered[500] = (altered[500] ?? 0) ^ 1;
    await t.rejects(verify(altered));
    const { stdout } = await execute(
      'openssl',
      ['cms', '-cmsout', '-print', '-noout', '-inform', 'DER', '-in', 'cms.der'],
      { cwd: folder },
    );
    t.match(stdout, 'id-smime-aa-signingCertificateV2');
    t.notMatch(stdout, 'signingTime');
  });

  test(`pdfsig accepts a PDF signed by ${name}`, { skip: !hasPdfsig }, async (t) => {
    const { file } = await newPkcs12(t, algorithm);
    const { pdf } = await sign(await readPkcs12(file, 'secret'));
    const said = await pdfsig(t, pdf);
    t.match(said, 'Signature is Valid');
    t.match(said, 'Total document signed');
    t.match(said, 'ETSI.CAdES.detached');
    t.equal(await checkWithQpdf(pdf), 0);
  });
}

test('pdfsig rejects a signed PDF with one altered byte', { skip: !hasPdfsig }, async (t) => {
  const { pdf } = await sign(readSelfMadeKey(await makeSigningKey(new Date())));
  t.match(await pdfsig(t, pdf), 'Signature is Valid');
  for (const at of [pdf.indexOf('/Title') + 9, pdf.length - 2_000]) {
    const altered = Buffer.from(pdf);
    altered[at] = (altered[at] ?? 0) ^ 1;
    t.notMatch(await pdfsig(t, altered), 'Signature is Valid', `byte ${at}`);
  }
  const longer = Buffer.concat([pdf, Buffer.from('\n% another revision\n')]);
  t.notMatch(await pdfsig(t, longer), 'Total document signed');
});

test('the bundle in a signed PDF is read, also by verify.py', async (t) => {
  const { pdf } = await sign(readSelfMadeKey(await makeSigningKey(new Date())));
  t.equal(await extractBundle(pdf), sampleText());
  const file = join(await newFolder(t), 'certificate.pdf');
  await writeFile(file, pdf);
  const program = new URL('../../../src/pages/verify.py', import.meta.url).pathname;
  const { stdout } = await execute('python3', [program, '--certificate', file, '--json']);
  const { checks } = JSON.parse(stdout);
  t.ok(checks.length > 5);
  t.match(stdout, /a signature of the PDF were not checked/);
  const made = checkBundle(readBundle(await extractBundle(pdf)), {
    ...{ fileHash: null, accounts: [], logKeys: [], isPrinted: true },
    ledger: { asked: false, why: 'no' },
  });
  t.match(made.at(-1), { outcome: 'notChecked', detail: /signature of the PDF was not checked/ });
  t.notOk(
    checks.some(({ outcome }: { readonly outcome: string }) => outcome === 'failed'),
    stdout,
  );
});

test('the PDF has the same bytes again when its recorded signature is placed', async (t) => {
  const key = readSelfMadeKey(await makeSigningKey(new Date()));
  const { pdf, cms } = await sign(key);
  const room = createCertificateSigner({ ...quiet, key }).room() ?? 0;
  const again = await renderCertificate(sampleProof().content, Buffer.from(sampleText()), room);
  t.ok(pdf.equals(placeSignature(findSignatureGap(again, room), cms)));
  t.throws(() => findSignatureGap(again, room + 1), /place for a signature/);
  t.throws(() => placeSignature(findSignatureGap(again, room), Buffer.alloc(room + 1)), /room/);
});

test('a signature has the token of the authority, which openssl accepts', async (t) => {
  const authority = await createTimestampAuthority(t);
  const { url } = await serveTimestamps(t, (query) => authority.answer(query));
  const key = readSelfMadeKey(await makeSigningKey(new Date()));
  let signature: Uint8Array = new Uint8Array();
  let token: Uint8Array = new Uint8Array();
  const { cms, pdf } = await sign(key, {
    stamp: async (data, stopped) => {
      signature = data;
      const of = { url, roots: [authority.root] };
      token = (await askAuthority(of, data, stopped)).token;
      return token;
    },
  });
  t.ok(Buffer.from(cms).includes(Buffer.from(token)), 'the token is in the signature');
  t.ok(Buffer.from(cms).includes(Buffer.from(signature)));
  t.ok(await authority.accepts(token, signature));
  if (hasPdfsig) t.match(await pdfsig(t, pdf), 'Signature is Valid');
});

test('a PDF is signed without a token when the authority is away, and it is left alone for a minute', async (t) => {
  const key = readSelfMadeKey(await makeSigningKey(new Date()));
  let asked = 0;
  const troubles: unknown[] = [];
  let time = Date.now();
  // The timeout alone does not keep the process running.
  const alive = setInterval(() => {}, 1_000);
  t.teardown(() => clearInterval(alive));
  const signer = createCertificateSigner({
    ...{ key, onInvalid: () => {}, waitMs: 20, now: () => new Date(time) },
    stamp: (_, stopped) => {
      asked += 1;
      return new Promise((_, reject) => {
        stopped.addEventListener('abort', () => reject(stopped.reason));
      });
    },
    onUnstamped: (trouble) => troubles.push(trouble),
  });
  await signer.sign(Buffer.from('a'));
  await signer.sign(Buffer.from('b'));
  t.equal(asked, 1);
  t.match(troubles, [{ name: 'TimeoutError' }]);
  time += 60_000;
  await signer.sign(Buffer.from('c'));
  t.equal(asked, 2);
});

test('nothing is signed by a certificate that has expired or is not valid yet', async (t) => {
  const key = readSelfMadeKey(await makeSigningKey(new Date()));
  for (const years of [30, -1]) {
    let told: unknown = null;
    const now = () => new Date(Date.now() + years * 31_557_600_000);
    const onInvalid = (validity: unknown) => {
      told = validity;
    };
    t.equal(createCertificateSigner({ ...quiet, key, now, onInvalid }).room(), null);
    t.match(told, { from: Date, to: Date });
  }
});

test('a signing key that cannot be used is refused with the reason', async (t) => {
  const { file, cert, folder } = await newPkcs12(t, algorithms.RSA);
  await t.rejects(readPkcs12(file, 'wrong'), /password is wrong/);
  await t.rejects(readPkcs12(await readFile(cert), 'secret'), /not a PKCS #12 file/);
  await t.rejects(readPkcs12(file.subarray(0, 900), 'secret'), { name: 'Error' });
  const exported = async (...args: string[]) => {
    const out = join(folder, 'other.p12');
    await execute('openssl', [
      'pkcs12',
      '-export',
      ...args,
      '-out',
      out,
      '-passout',
      'pass:secret',
    ]);
    return readFile(out);
  };
  const withoutKey = await exported('-nokeys', '-in', cert);
  await t.rejects(readPkcs12(withoutKey, 'secret'), /has 0 keys/);
  const withoutCertificate = await exported('-nocerts', '-inkey', join(folder, 'key.pem'));
  await t.rejects(readPkcs12(withoutCertificate, 'secret'), /no certificate of its key/);
  const small = await newPkcs12(t, ['rsa:1024']);
  await t.rejects(readPkcs12(small.file, 'secret'), /cannot sign PDFs/);
  const foreign = await newPkcs12(t, ['ed25519']);
  await t.rejects(readPkcs12(foreign.file, 'secret'), /cannot sign PDFs/);
  const other = await makeSigningKey(new Date());
  const mixed = `${(await makeSigningKey(new Date())).split('-----BEGIN CERT')[0]}-----BEGIN CERT${other.split('-----BEGIN CERT')[1]}`;
  t.throws(() => readSelfMadeKey(mixed), /no certificate of its key/);
  t.throws(() => readSelfMadeKey('nothing'), /holds no key/);
});
