import { Refusal } from '../../domain/refusal.ts';
import type { CheckpointChoice } from '../../transparency-log/inclusion/checkpoint-choice.ts';
import { defineOpenRoute } from '../route.ts';

export const getLogCheckpoint = defineOpenRoute({
  operationId: 'getLogCheckpoint',
  tag: 'Published log',
  method: 'GET',
  path: '/log/checkpoint',
  scope: null,
  summary: 'The newest checkpoint of the log: the number of its events, and the root of their tree',
  description:
    'A [checkpoint](https://c2sp.org/tlog-checkpoint) in a ' +
    '[signed note](https://c2sp.org/signed-note). The leaf at index *position* − 1 is the hash of the event ' +
    'at that position. Lines of witnesses ([cosignatures](https://c2sp.org/tlog-cosignature)) follow the ' +
    'signature of the log, if the service has witnesses. Then a new checkpoint appears as soon as a quorum of ' +
    'them has cosigned it, or after 3 seconds.',
  responses: {
    200: {
      description: 'the checkpoint, signed by the log',
      headers: ['Cache-Control'],
      mediaType: 'text/plain',
      example:
        'proofmark/01M7XT7V10RJ1CFD26ZBSKQXP6\n1234\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n',
    },
  },
  refusals: ['NOT_FOUND', 'SERVICE_UNAVAILABLE'],
  handle: async (
    _call,
    { checkpoints }: { readonly checkpoints: Pick<CheckpointChoice, 'newest'> },
  ) => {
    const last = await checkpoints.newest();
    if (last === null)
      throw new Refusal(
        'NOT_FOUND',
        'no checkpoint has been published yet; try again in a few seconds',
      );
    return {
      status: 200,
      headers: { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-cache' },
      body: Buffer.from(last.note, 'utf8'),
    };
  },
});
