import { noteSigner } from '../../../src/transparency-log/checkpoint/note-key.ts';
import { signNote } from '../../../src/transparency-log/checkpoint/signed-note.ts';
import { sampleLogSigner, sampleText } from '../sample-bundle.ts';
import type { VectorInput } from './vector.ts';
import { careful, resealed } from './vector-bases.ts';

/** Key of another log, which signs checkpoints of logs that it copies. */
export const mirror = noteSigner('mirror.example/b', Buffer.alloc(32, 84));

/** A signer whose signatures do not verify. */
export const falsely = (signer: typeof mirror) => ({ ...signer, sign: () => Buffer.alloc(64, 7) });

/** The sample with a checkpoint that these keys signed. */
export function signedWith(signers: readonly (typeof mirror)[]): string {
  return resealed(sampleText(), ({ log }) => {
    const [body = ''] = log.checkpoint.split('\n\n');
    log.checkpoint = signNote(`${body}\n`, signers);
  });
}

/** Checkpoints that a key of another log signed too: it neither helps nor harms. */
export function otherLogVectors(): VectorInput[] {
  const log = sampleLogSigner;
  const given = (
    about: string,
    signers: readonly (typeof mirror)[],
    keys: readonly (typeof mirror)[],
  ): VectorInput => ({
    id: `log: ${about}`,
    about: `The issuer's log: ${about}; the checksum is right.`,
    bundle: signedWith(signers),
    options: { ...careful, logKeys: keys.map(({ vkey }) => vkey) },
  });
  return [
    given('the log and another log signed, both keys are known', [log, mirror], [log, mirror]),
    given('another log and the log signed, both keys are known', [mirror, log], [mirror, log]),
    given('the log and another log signed, the other key is known', [log, mirror], [mirror]),
    given('another log signed falsely, both keys are known', [log, falsely(mirror)], [log, mirror]),
    given('another log signed falsely, its key is known', [log, falsely(mirror)], [mirror]),
    given(
      'the log signed falsely, another log signed, both keys are known',
      [falsely(log), mirror],
      [log, mirror],
    ),
    given('only another log signed, both keys are known', [mirror], [log, mirror]),
  ];
}
