import { createHash } from 'node:crypto';
import { test } from 'tap';
import { verifierProgram } from '../../../src/certificates/verifier-program.ts';
import { publishVerifier } from '../../../src/commands/publish-verifier.ts';
import type { Digest } from '../../../src/domain/proof/digest.ts';
import { openCheckpoint } from '../../../src/transparency-log/checkpoint/checkpoint.ts';
import { noteSigner } from '../../../src/transparency-log/checkpoint/note-key.ts';
import { readLogKey } from '../../../src/verifier/log/note-key.ts';
import { verifyInclusion } from '../../../src/verifier/log/verify-inclusion.ts';
import { startHttpService } from '../../support/http-service.ts';
import { logSeed } from '../../support/publishing-site.ts';
import { leafOf } from '../../support/vectors/vector-bases.ts';

const meta = { actor: 'start' } as const;
const sha256 = (text: string | Uint8Array) => createHash('sha256').update(text).digest('hex');

test('anybody can find every verifier that was served in the log', async (t) => {
  const service = await startHttpService(t);
  const list = async () => (await service.call('GET', '/log/verifiers')).body.data.verifiers;
  t.strictSame(await list(), []);
  const earlier = 'a'.repeat(64) as Digest;
  await publishVerifier(service.store, earlier, meta);
  await publishVerifier(service.store, verifierProgram().sha256, meta);
  t.match(await list(), [{ inclusion: null }, { inclusion: null }], 'before a checkpoint');
  await service.publish();
  const verifiers = await list();
  const served = new Uint8Array(await (await fetch(`${service.url}/verify.py`)).arrayBuffer());
  t.match(
    verifiers.map((one: { sha256: string }) => one.sha256),
    [sha256(served), earlier],
    'the newest first',
  );
  for (const { sha256: hash, event, leafIndex, inclusion } of verifiers) {
    t.equal(event.dataHash, sha256(`{"sha256":"${hash}"}`));
    const [origin = ''] = inclusion.checkpoint.split('\n');
    const key = readLogKey(noteSigner(origin, logSeed).vkey);
    const opened = openCheckpoint(inclusion.checkpoint, key === null ? [] : [key]);
    if (opened.status !== 'verified') throw new Error(opened.status);
    const proof = inclusion.hashes.map((hex: string) => Buffer.from(hex, 'hex'));
    const { size, root } = opened.checkpoint;
    const leaf = leafOf(event);
    t.ok(verifyInclusion({ leaf, index: leafIndex, size, proof, root }), hash);
  }
});
