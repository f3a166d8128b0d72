import { z } from 'zod';
import { Refusal } from '../../domain/refusal.ts';
import { streams } from '../../domain/streams.ts';
import type { EventStore } from '../../event-store/event-store.ts';
import type { CheckpointChoice } from '../../transparency-log/inclusion/checkpoint-choice.ts';
import { type ProvingDeps, proveEvent } from '../../transparency-log/inclusion/prove-event.ts';
import { success } from '../../views/output-fields.ts';
import { digest } from '../fields.ts';
import { defineOpenRoute } from '../route.ts';
import { inclusion } from './inclusion-example.ts';
import { inclusionData, publicEventFields, viewInclusion } from './inclusion-view.ts';
import type { LogKeys } from './log-keys.ts';

interface LogCertificateDeps extends ProvingDeps, LogKeys {
  readonly store: Pick<EventStore, 'readLast'>;
  readonly checkpoints: Pick<CheckpointChoice, 'newest'>;
}

const exampleDigest = '568e8c8e97db57188016cda54e026726cf8ffeb18307184009d13c0d52de32f5';

const data = inclusionData.extend({
  event: z.object({ ...publicEventFields, type: z.literal('CertificateRecorded') }),
});

export const getLogCertificate = defineOpenRoute({
  operationId: 'getLogCertificate',
  tag: 'Published log',
  method: 'GET',
  path: '/log/certificates/:sha256',
  scope: null,
  summary: 'Whether a PDF is a certificate that this service issued, byte for byte',
  description:
    'For anybody who was given a certificate. The log records the SHA-256 of each certificate with a signed ' +
    'bundle. `event.dataHash` is the SHA-256 of `{"sha256":"…"}` with the SHA-256 of the PDF. The leaf is the ' +
    'SHA-256 of a zero byte followed by the canonical JSON (RFC 8785) of `event`. The leaf and `hashes` give the ' +
    'root that `checkpoint` states (RFC 6962, 2.1.1). The answer 404 means another file, an altered certificate, ' +
    'or one whose bundle has a version before 6.',
  params: {
    schema: z.object({
      sha256: digest.meta({ description: 'the SHA-256 of the PDF, in lower-case hexadecimal' }),
    }),
    refusals: { sha256: 'INVALID_HASH' },
  },
  responses: {
    200: {
      description: 'the certificate was issued here: its leaf in the log, with an inclusion proof',
      schema: z.object({ success, data }),
      example: {
        success: true,
        data: {
          ...inclusion,
          event: {
            ...inclusion.event,
            organisationId: null,
            stream: `certificate-${exampleDigest}`,
            version: 1,
            type: 'CertificateRecorded',
          },
        },
      },
    },
  },
  refusals: ['INVALID_HASH', 'CERTIFICATE_NOT_FOUND', 'CHECKPOINT_PENDING', 'SERVICE_UNAVAILABLE'],
  handle: async ({ params }, deps: LogCertificateDeps) => {
    const recorded = await deps.store.readLast(streams.certificate(params.sha256));
    if (recorded === null) {
      throw new Refusal('CERTIFICATE_NOT_FOUND', 'the log has no certificate with this SHA-256');
    }
    const checkpoint = await deps.checkpoints.newest();
    if (checkpoint === null || checkpoint.size < recorded.position) {
      throw new Refusal(
        'CHECKPOINT_PENDING',
        'no published checkpoint of the log covers this certificate yet; try again in a few seconds',
      );
    }
    const proven = await proveEvent(deps, recorded.position, checkpoint);
    return {
      status: 200,
      body: { success: true, data: viewInclusion(proven, await deps.logKeys()) },
    };
  },
});
