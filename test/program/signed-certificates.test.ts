import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Test, test } from 'tap';
import { makeSigningKey } from '../../src/certificates/signature/self-made-key.ts';
import { prove } from '../support/api-client.ts';
import { newFolder } from '../support/blobs.ts';
import { fetchCertificate } from '../support/certificate-client.ts';
import { signatureIn } from '../support/cms-of-pdf.ts';
import { sha256 } from '../support/forms.ts';
import { ops } from '../support/operator.ts';
import { readPdf } from '../support/pdf-text.ts';
import { firstKey, newDataDir, type Program, startProgram, stop } from '../support/program.ts';
import { createTimestampAuthority, serveTimestamps } from '../support/timestamp-authority.ts';

const execute = promisify(execFile);
const yearMs = 365.25 * 86_400_000;
const password = 'correct horse';

/** Writes the key of an operator, made at this time and valid for 20 years, as PKCS #12. */
async function writePkcs12(folder: string, madeAt: Date): Promise<string> {
  const [pem, file] = [join(folder, 'made.pem'), join(folder, `${madeAt.getTime()}.p12`)];
  await writeFile(pem, await makeSigningKey(madeAt), { mode: 0o600 });
  const passout = `pass:${password}`;
  await execute('openssl', ['pkcs12', '-export', '-in', pem, '-out', file, '-passout', passout]);
  return file;
}

/** Text of `pdfsig`, which ends with 1 for an invalid signature. */
async function pdfsig(t: Test, pdf: Uint8Array): Promise<string> {
  const file = join(await newFolder(t), 'certificate.pdf');
  await writeFile(file, pdf);
  const { stdout, stderr } = await execute('pdfsig', ['-nocert', file]).catch((error) => error);
  return `${stdout}${stderr}`;
}

const lastPage = async (pdf: Uint8Array) => (await readPdf(pdf)).pages.join('\n');

test('a service with a key of its operator and a time-stamping authority', async (t) => {
  const authority = await createTimestampAuthority(t);
  const { url } = await serveTimestamps(t, (query) => authority.answer(query));
  const folder = await newFolder(t);
  const dataDir = await newDataDir(t);
  const env = {
    ...{ DATA_DIR: dataDir, CERTIFICATE_SIGNING_PASSWORD: password },
    ...{ TSA_URL: url, TSA_CERTIFICATES: authority.rootFile },
  };
  const start = async (madeAt: Date) =>
    startProgram(t, { ...env, CERTIFICATE_SIGNING_KEY: await writePkcs12(folder, madeAt) });
  const program = await start(new Date());
  const key = await firstKey(program);
  const issue = async ({ address }: Program, name: string) => {
    const caller = { address, ...key };
    const { proofId } = await prove(caller, sha256(Buffer.from(name)));
    return { proofId, pdf: Buffer.from((await fetchCertificate(caller, proofId)).bytes) };
  };
  const { proofId, pdf } = await issue(program, 'signed');
  await t.test('signs with both: poppler and openssl accept signature and token', async (t) => {
    const said = await pdfsig(t, pdf);
    t.match(said, 'Signature is Valid');
    t.match(said, 'Total document signed');
    const { signature, token } = signatureIn(pdf);
    t.ok(token !== null && (await authority.accepts(token, signature)), 'the token');
    t.match(await lastPage(pdf), 'The digital signature on this PDF shows');
  });
  await t.test('pdfsig and ops verify tell of an altered page', async (t) => {
    const [certificate, altered] = [join(folder, 'genuine.pdf'), join(folder, 'altered.pdf')];
    const changed = Buffer.from(pdf);
    const at = pdf.indexOf('/Title') + 9;
    changed[at] = (changed[at] ?? 0) ^ 1;
    await writeFile(certificate, pdf);
    await writeFile(altered, changed);
    t.notMatch(await pdfsig(t, changed), 'Signature is Valid');
    const verify = (file: string) =>
      ops(t, {}, 'verify', '--certificate', file, '--server', program.address, '--json');
    const checkOf = ({ stdout }: { readonly stdout: string }) =>
      JSON.parse(stdout).checks.find(
        ({ name }: { readonly name: string }) => name === 'issued certificate',
      );
    t.not(checkOf(await verify(certificate)).outcome, 'failed');
    const outcome = await verify(altered);
    t.match(checkOf(outcome), { outcome: 'failed', detail: /not the one that was issued/ });
    t.equal(outcome.code, 1);
  });
  t.match(await stop(program), { code: 0, stderr: '' });

  const expired = await start(new Date(Date.now() - 21 * yearMs));
  await t.test(
    'with an expired key starts, says so, and issues PDFs without a signature',
    async (t) => {
      const fresh = await issue(expired, 'unsigned');
      t.match(await pdfsig(t, fresh.pdf), 'does not contain any signatures');
      t.match(await lastPage(fresh.pdf), 'This PDF has no digital signature.');
      const { bytes } = await fetchCertificate({ ...key, address: expired.address }, proofId);
      t.ok(pdf.equals(bytes), 'the earlier PDF is as it was');
    },
  );
  expired.kill('SIGTERM');
  const { code, stdout, stderr } = await expired.ended;
  t.equal(code, 0);
  t.match(stdout + stderr, /not valid now.*replace CERTIFICATE_SIGNING_KEY/);
});
