import { readdir, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import decodeQr from 'qr/decode.js';
import { type Test, test } from 'tap';
import { type Caller, dataOf, prove } from '../support/api-client.ts';
import { newFolder } from '../support/blobs.ts';
import { fetchBundle, fetchCertificate } from '../support/certificate-client.ts';
import { sha256 } from '../support/forms.ts';
import { guideCommands } from '../support/guide-commands.ts';
import { opsIn } from '../support/operator.ts';
import { ledgerOf } from '../support/own-ledger.ts';
import { renderPages } from '../support/pdf-images.ts';
import { readPdf } from '../support/pdf-text.ts';
import { firstKey, newDataDir, type Program, startProgram, stop } from '../support/program.ts';
import { projectRoot, run } from '../support/run.ts';
import { reviseDocument, uploadDocument } from '../support/upload-client.ts';

/** A stranger's folder, which npm takes for the project. */
async function createDesk(t: Test) {
  const folder = await newFolder(t);
  for (const name of ['package.json', 'node_modules', 'src', 'ops', 'projections', 'migrations']) {
    await symlink(join(projectRoot, name), join(folder, name));
  }
  return {
    folder,
    put: (name: string, content: string | Buffer) => writeFile(join(folder, name), content),
    /** Runs a copied command in an empty environment. */
    enter: (command: string) => run(t, ['sh', '-c', command], { cwd: folder }).ended,
    /** Checks the certificate on the desk with `ops verify`, and the file beside it. */
    verify: (...options: string[]) => {
      const files = ['--certificate', 'CERTIFICATE.pdf', '--file', 'FILE'];
      return opsIn(t, { env: {}, cwd: folder }, 'verify', ...files, ...options);
    },
  };
}

const hostileName = 'invoice\u202Efdp.exe ) Tj ET (\u001b[2J\n%%EOF <script>"\\ ';

test('certificates of a running program', async (t) => {
  const dataDir = await newDataDir(t);
  const program = await startProgram(t, { DATA_DIR: dataDir });
  const caller: Caller = { address: program.address, ...(await firstKey(program)) };
  await t.test('a stranger can check that of each kind of proof by its own guide', (t) =>
    checkByGuide(t, dataDir, caller),
  );
  await t.test('one keeps its bytes after a change of PUBLIC_URL and the loss of its file', (t) =>
    keepBytes(t, dataDir, caller, program),
  );
});

async function checkByGuide(t: Test, dataDir: string, caller: Caller): Promise<void> {
  const { url, account } = await ledgerOf(dataDir);
  const first = dataOf(await uploadDocument(caller, { name: 'contract.txt', bytes: 'first' }));
  const second = { name: 'contract, 2nd.txt', bytes: 'second' };
  const hash = sha256(Buffer.from('alone'));
  const scheme = { hashScheme: 'sha256-plain-v1' };
  const kinds: readonly (readonly [string, string, { readonly proofId: string }])[] = [
    ['contract.txt', 'first', first],
    [second.name, second.bytes, dataOf(await reviseDocument(caller, first.documentId, second))],
    [hostileName, 'alone', await prove(caller, hash, { fileName: hostileName })],
    ['not given', 'plain', await prove(caller, sha256(Buffer.from('plain')), scheme)],
  ];
  const desk = await createDesk(t);
  for (const [name, bytes, { proofId }] of kinds) {
    const { bytes: pdf, headers } = await fetchCertificate(caller, proofId);
    t.equal(headers.get('content-type'), 'application/pdf');
    await desk.put('CERTIFICATE.pdf', pdf);
    await desk.put('FILE', bytes);
    const signature = await desk.enter(`pdfsig -nocert CERTIFICATE.pdf`);
    t.match(signature.stdout, 'Signature is Valid', name);
    t.match(signature.stdout, 'Total document signed', name);
    const { pages, links } = await readPdf(pdf);
    t.equal(pages.length, 3);
    const text = pages.join('\n');
    const shown = name.replace(/[\p{Cc}\u202e]| $/gu, (character) => {
      return `\\u{${character.charCodeAt(0).toString(16).toUpperCase()}}`;
    });
    t.match(text.replaceAll(/\s/g, ''), shown.replaceAll(' ', ''));
    t.notMatch(text, '\u202E');

    const { from } = guideCommands(text);
    await desk.put('verify.py', await downloadVerifier(t, pages[2] ?? ''));
    const asked = await desk.verify('--ledger', url, '--account', account);
    t.match(asked, { code: 0, stderr: '', stdout: /\nProven: this file existed/ }, name);
    const offline = await desk.enter(from('python3'));
    t.match(offline, { code: 0, stderr: '', stdout: /\nNot proven yet: no check failed/ }, name);

    const [page] = await renderPages(pdf, 2);
    const verifyUrl = (page && decodeQr(page)) ?? '';
    t.match(verifyUrl, /\/verify\/[0-9A-F]{64}$/);
    t.equal((await fetch(verifyUrl)).status, 200);
    for (const link of links) {
      const answer = await fetch(link);
      t.equal(answer.status, 200);
      // All links but those into the API and of the verifier lead to HTML pages.
      if (link.includes('/api/')) {
        t.match(await answer.json(), { data: { verified: true, network: 'standalone' } });
      } else if (!link.endsWith('/verify.py')) {
        t.match(answer.headers.get('content-type'), /^text\/html/);
      }
    }
    t.ok(links.every((link) => link.startsWith(caller.address)));
  }
  const { bytes } = await fetchCertificate(caller, first.proofId);
  await desk.put('CERTIFICATE.pdf', bytes);
  const command = guideCommands((await readPdf(bytes)).pages.join('\n')).from('python3');
  await desk.put('FILE', 'first');
  t.match(await desk.verify(), {
    code: 0,
    stderr: '',
    stdout: /\nNot proven yet: no check failed/,
  });
  await desk.put('FILE', 'first!');
  t.match(await desk.enter(command), { code: 1, stdout: /\nNOT PROVEN/ });
  t.match(await desk.verify(), { code: 1, stdout: /\nNOT PROVEN/ });
}

/** The verifier from the address in the guide. Its SHA-256 is the one beside it. */
async function downloadVerifier(t: Test, guide: string): Promise<Buffer> {
  const [url = ''] = /https?:\S+\/verify\.py/.exec(guide) ?? [];
  const program = Buffer.from(await (await fetch(url)).arrayBuffer());
  t.match(guide, new RegExp(`\nSHA-256\\s+${sha256(program)}\n`));
  return program;
}

async function keepBytes(
  t: Test,
  dataDir: string,
  caller: Caller,
  program: Program,
): Promise<void> {
  const files = join(dataDir, 'files');
  const stored = async () =>
    (await readdir(files, { recursive: true })).filter((path) =>
      /^[0-9A-Z]{26}\/\w+\.enc$/.test(path),
    );
  const before = await stored();
  const { proofId } = await prove(caller, sha256(Buffer.from('kept')));
  const { bytes } = await fetchCertificate(caller, proofId);
  const bundle = await fetchBundle(caller, proofId);
  t.match(await stop(program), { code: 0, stderr: '' });

  // The next start makes another key.
  await rm(join(dataDir, 'certificate-signing.pem'));
  const elsewhere = { DATA_DIR: dataDir, PUBLIC_URL: 'https://elsewhere.example/proofs' };
  const restarted = await startProgram(t, elsewhere);
  const again = { ...caller, address: restarted.address };
  t.ok((await fetchCertificate(again, proofId)).bytes.equals(bytes));
  t.ok((await fetchBundle(again, proofId)).bytes.equals(bundle.bytes));
  const [name = ''] = (await stored()).filter((path) => !before.includes(path));
  await rm(join(files, name));
  t.ok((await fetchCertificate(again, proofId)).bytes.equals(bytes), 'rendered again');
  t.ok((await stat(join(files, name))).size > bytes.length, 'stored again');
  const fresh = await prove(again, sha256(Buffer.from('new')));
  const { links } = await readPdf((await fetchCertificate(again, fresh.proofId)).bytes);
  t.equal(links[0], 'https://elsewhere.example/proofs/verify');
  t.ok(links.includes('https://elsewhere.example/proofs/verify.py'));
  restarted.kill('SIGTERM');
  t.match(await restarted.ended, { code: 0 });
}
