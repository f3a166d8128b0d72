import { execFile } from 'node:child_process';
import { hash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { test } from 'tap';
import { createCosigner } from '../../src/transparency-log/cosigning/cosigner.ts';
import { readWitnessKey } from '../../src/verifier/log/note-key.ts';
import { CosignedCheckpoints } from '../../src/witness/cosigned-checkpoints.ts';
import { Witness } from '../../src/witness/witness.ts';
import { newFolder } from '../support/blobs.ts';
import { forkedLog } from '../support/forked-log.ts';

const run = promisify(execFile);
const name = 'witness.example/w';

/** Reads key, id, time and signature with nothing but the documents of C2SP, and asks openssl. */
test('openssl accepts the cosignature of a witness, for this checkpoint and time alone', async (t) => {
  const cosigner = createCosigner(name, Buffer.alloc(32, 5));
  const key = readWitnessKey(cosigner.vkey);
  if (key === null) throw new Error('no key');
  const log = forkedLog();
  const checkpoints = new CosignedCheckpoints(await newFolder(t), key);
  const witness = new Witness({ cosigner, logs: [log.key], checkpoints, nowMs: () => 1.7e12 });
  const { text: line } = await witness.addCheckpoint(await log.request(0, 5));

  const [vkeyName, vkeyId, ...typed] = cosigner.vkey.split('+');
  const material = Buffer.from(typed.join('+'), 'base64');
  t.strictSame([vkeyName, material[0], material.length], [name, 0x04, 33]);
  const id = hash('sha256', Buffer.concat([Buffer.from(`${name}\n`), material]), 'hex').slice(0, 8);
  t.equal(vkeyId, id);
  const [dash, lineName, signature = ''] = line.trimEnd().split(' ');
  t.strictSame([dash, lineName], ['\u2014', name]);
  const bytes = Buffer.from(signature, 'base64');
  t.equal(bytes.toString('hex', 0, 4), id);
  t.equal(bytes.readBigUInt64BE(4), 1_700_000_000n);

  const folder = await newFolder(t);
  const file = (of: string) => join(folder, of);
  const der = Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), material.subarray(1)]);
  await writeFile(file('key.der'), der);
  await writeFile(file('signature'), bytes.subarray(12));
  const note = log.note(5);
  const body = note.slice(0, note.indexOf('\n\n') + 1);
  const accepts = async (message: string) => {
    await writeFile(file('message'), message);
    const verify = ['pkeyutl', '-verify', '-pubin', '-rawin', '-keyform', 'DER'];
    const of = ['-inkey', file('key.der'), '-sigfile', file('signature'), '-in', file('message')];
    return run('openssl', [...verify, ...of]).then(
      () => true,
      () => false,
    );
  };
  t.equal(await accepts(`cosignature/v1\ntime 1700000000\n${body}`), true);
  t.equal(await accepts(`cosignature/v1\ntime 1700000001\n${body}`), false);
  t.equal(
    await accepts(`cosignature/v1\ntime 1700000000\n${body.replace('\n5\n', '\n6\n')}`),
    false,
  );
  t.equal(await accepts(body), false);
});
