import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'tap';
import { checkWitnesses } from '../../../src/certificates/check-witnesses.ts';
import type { Bundle } from '../../../src/verifier/bundle/bundle.ts';
import { bundleChecksum } from '../../../src/verifier/bundle/bundle-checksum.ts';
import { parsePolicy } from '../../../src/verifier/log/policy.ts';
import { ops } from '../../support/operator.ts';
import { sampleBundle, sampleFile, sampleLogKey } from '../../support/sample-bundle.ts';
import { sigstoreAccepts } from '../../support/sigstore-verifier.ts';
import { policyText, reachable, sampleCosigner } from '../../support/witness-servers.ts';

const witnesses = [0, 1, 2].map((n) => reachable(n, 'https://witness.example/'));
const policy = parsePolicy(policyText(witnesses, 2));
const seconds = 1_700_000_000;

/** The sample bundle with the cosignatures of these witnesses, of the checkpoint or of another text. */
function cosigned(
  by: readonly number[],
  change: (text: string) => string = (text) => text,
): Bundle {
  const { checksum: _, ...content } = sampleBundle({ version: 3 });
  if (!('log' in content)) throw new Error('no log');
  const { checkpoint } = content.log;
  const text = change(`${checkpoint.split('\n\n')[0]}\n`);
  const lines = by.map((n) => sampleCosigner(n).cosign(text, seconds)).join('');
  const whole = { ...content, log: { ...content.log, checkpoint: checkpoint + lines } };
  return { ...whole, checksum: bundleChecksum(whole) } as Bundle;
}

test('tells which witnesses of the policy cosigned, and fails without their quorum', async (t) => {
  t.match(checkWitnesses(cosigned([0, 2]), policy), {
    outcome: 'ok',
    detail:
      /^cosigned by w0 \(2023-11-14T22:13:20Z\), w2 \(2023-11-14T22:13:20Z\)\. This is the quorum/,
  });
  t.match(checkWitnesses(cosigned([1]), policy), {
    outcome: 'failed',
    detail: /^cosigned by w1 \S+\. This is no quorum/,
  });
  t.match(checkWitnesses(cosigned([]), policy), { outcome: 'failed', detail: /^no witness/ });
  t.match(checkWitnesses(cosigned([7, 8]), policy), { outcome: 'failed', detail: /^no witness/ });
  const other = (text: string) => text.replace('\n3\n', '\n4\n');
  t.match(checkWitnesses(cosigned([0, 1], other), policy), {
    outcome: 'failed',
    detail: /^no witness .*The cosignature of w0, w1 does not match .* This is no quorum/,
  });
  const mixed = cosigned([0, 2]);
  const wrong = sampleCosigner(1).cosign('another text\n', seconds);
  if (!('log' in mixed)) throw new Error('no log');
  const spoiled = { ...mixed, log: { ...mixed.log, checkpoint: mixed.log.checkpoint + wrong } };
  t.match(checkWitnesses(spoiled, policy), {
    outcome: 'ok',
    detail:
      /^cosigned by w0 .*, w2 .*The cosignature of w1 does not match .*was not counted\. This is the/,
  });
  t.match(checkWitnesses(sampleBundle({ unlogged: true }), policy), { outcome: 'notChecked' });
});

test('verifies with a policy, and exports the proof for programs of others', async (t) => {
  const folder = t.testdir({ 'document.txt': sampleFile });
  const at = (name: string) => join(folder, name);
  await writeFile(at('bundle.json'), JSON.stringify(cosigned([0, 1])));
  await writeFile(at('policy'), `log ${sampleLogKey.vkey}\n${policyText(witnesses, 2)}`);
  await writeFile(at('strict'), policyText(witnesses, 3));
  await writeFile(at('mistaken'), 'witness x\n');
  const verify = (name: string) =>
    ops(
      t,
      {},
      'verify',
      '--bundle',
      at('bundle.json'),
      '--file',
      at('document.txt'),
      '--policy',
      at(name),
    );
  const found = await verify('policy');
  t.equal(found.code, 0);
  t.match(found.stdout, /^ok +log checkpoint +the checkpoint is signed with the given key/m);
  t.match(found.stdout, /^ok +log witnesses +cosigned by w0 \(\S+\), w1/m);
  t.match(await verify('strict'), { code: 1, stdout: /^FAILED +log witnesses/m });
  t.match(await verify('mistaken'), { code: 1, stderr: /mistaken: line 1: must be: witness/ });

  const out = at('sample.tlog-proof');
  const given = ['tlog-proof', '--bundle', at('bundle.json')];
  t.match(await ops(t, {}, ...given, '--out', out), { code: 0, stdout: '' });
  const text = await readFile(out, 'utf8');
  t.equal((await ops(t, {}, ...given)).stdout, text);
  const [head = '', ...notes] = text.split('\n\n');
  const [form, extra = '', index = '', ...hashes] = head.split('\n');
  t.equal(form, 'c2sp.org/tlog-proof@v1');
  const entry = {
    record: Buffer.from(extra.replace('extra ', ''), 'base64'),
    index: Number(index.replace('index ', '')),
    proof: hashes.map((hash) => Buffer.from(hash, 'base64')),
    note: notes.join('\n\n'),
    vkey: sampleLogKey.vkey,
  };
  t.ok(sigstoreAccepts(entry), 'a verifier of others accepts it');
  t.notOk(sigstoreAccepts({ ...entry, record: Buffer.concat([entry.record, Buffer.of(32)]) }));
  await writeFile(at('old.json'), JSON.stringify(sampleBundle({ unlogged: true })));
  const old = await ops(t, {}, 'tlog-proof', '--bundle', at('old.json'));
  t.match(old, { code: 1, stderr: /a bundle of version 1 contains no entry/ });
});
