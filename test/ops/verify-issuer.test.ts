import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Test, test } from 'tap';
import { noteSigner } from '../../src/transparency-log/checkpoint/note-key.ts';
import { signNote } from '../../src/transparency-log/checkpoint/signed-note.ts';
import { issuedText } from '../../src/verifier/bundle/issued-text.ts';
import { opsIn } from '../support/operator.ts';
import { withReversedLog } from '../support/reversed-log.ts';
import { projectRoot, run } from '../support/run.ts';
import {
  sampleAttested,
  sampleFile,
  sampleLogSigner,
  sampleText,
} from '../support/sample-bundle.ts';
import { sealed } from '../support/vectors/vector-bases.ts';

const name = `${sampleLogSigner.name}/issuer`;
const signer = noteSigner(name, Buffer.alloc(32, 80));
const newer = noteSigner(name, Buffer.alloc(32, 81));
const { checksum: _, ...sample } = JSON.parse(sampleText({ attested: sampleAttested }));
const draft = { ...sample, version: 6, timestamp: null };
const issuer = { note: signNote(issuedText(draft), [signer]) };
const renamed = { ...draft.certificate, organisationName: 'Somebody else' };
const files = {
  'reversed.json': withReversedLog({ ...draft, issuer }),
  'signed.json': sealed({ ...draft, issuer }),
  'renamed.json': sealed({ ...draft, certificate: renamed, issuer }),
  'keys.txt': `# keys of the issuer\n${newer.vkey}\n\n${signer.vkey}\n`,
  'empty.txt': `\nnot a key\n`,
  document: sampleFile,
};
const always = ['--file', 'document', '--validator-list-key', sampleAttested.network.publisherKey];

type Outcome = { readonly code: number | null; readonly stdout: string; readonly stderr: string };

/** Both programs, each with the folder of the files as its working folder. */
async function programs(t: Test): Promise<Record<string, (...args: string[]) => Promise<Outcome>>> {
  const folder = await mkdtemp(join(tmpdir(), 'verify-issuer-'));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  for (const [file, text] of Object.entries(files)) await writeFile(join(folder, file), text);
  const script = join(projectRoot, 'src/pages/verify.py');
  return {
    'ops verify': (...args) => opsIn(t, { env: {}, cwd: folder }, 'verify', ...args),
    'verify.py': (...args) => run(t, ['python3', script, ...args], { cwd: folder }).ended,
  };
}

test('names are stated by the issuer under a known key, and claims without', async (t) => {
  for (const [program, verify] of Object.entries(await programs(t))) {
    const given = ['--bundle', 'signed.json', ...always];
    for (const keys of [
      ['--issuer-key', signer.vkey],
      ['--issuer-key', newer.vkey, '--issuer-key', signer.vkey],
      ['--issuer-key', 'keys.txt'],
    ]) {
      const { code, stdout } = await verify(...given, ...keys);
      t.equal(code, 0, `${program} ${stdout}`);
      t.match(stdout, /^ok +issuer signature +the bundle, with its names and dates, is signed/m);
      t.match(stdout, /^not checked +statements .* stated by the issuer, who signed them/m);
      t.match(stdout, /^Proven: .* statements in the bundle are stated by the issuer/m);
      t.notMatch(stdout, 'claims');
    }
    for (const keys of [[], ['--issuer-key', newer.vkey]]) {
      const { code, stdout } = await verify(...given, ...keys);
      t.equal(code, 0, `${program} ${stdout}`);
      const by = signer.vkey.split('+').slice(0, 2).join('+');
      t.ok(/^not checked +issuer signature .*$/m.exec(stdout)?.[0].includes(by), 'names the key');
      t.match(stdout, /^not checked +statements .* are claims\. Nothing proves them/m);
      t.match(stdout, /^Proven: .* are claims, and not verified\./m);
    }
    const { stdout } = await verify(...given, '--issuer-key', signer.vkey, '--json');
    t.match(JSON.parse(stdout), { proven: true, statements: 'statedByIssuer' }, program);
    t.match(JSON.parse((await verify(...given, '--json')).stdout), { statements: 'claimed' });
  }
});

test('a name that was changed after the signature is not proven', async (t) => {
  for (const [program, verify] of Object.entries(await programs(t))) {
    const { code, stdout } = await verify('--bundle', 'renamed.json', ...always);
    t.equal(code, 1, program);
    t.match(stdout, /^FAILED +issuer signature +the issuer signed another bundle/m);
    t.match(stdout, /^NOT PROVEN: this check FAILED: issuer signature\./m);
  }
});

test('a name of a log cannot reverse or hide what is printed', async (t) => {
  for (const [program, verify] of Object.entries(await programs(t))) {
    const { stdout } = await verify('--bundle', 'reversed.json', ...always);
    t.match(stdout, 'log entry', program);
    t.match(stdout, 'proofs.example/');
    t.notMatch(stdout, /[\u202e\u200b]/, program);
  }
});

test('a wrong key of an issuer is refused in words', async (t) => {
  for (const [program, verify] of Object.entries(await programs(t))) {
    for (const wrong of [
      'empty.txt',
      'missing.txt',
      signer.vkey.replace(/\+.{8}\+/, '+00000000+'),
    ]) {
      const { code, stdout, stderr } = await verify(
        ...['--bundle', 'signed.json', ...always, '--issuer-key', wrong],
      );
      t.not(code, 0, `${program} ${wrong}`);
      t.equal(stdout, '');
      t.match(stderr, /error/i);
    }
  }
});
