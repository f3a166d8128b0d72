import { createCertificateMaker } from '../certificates/certificate-maker.ts';
import type { CertificateMaker } from '../certificates/contract.ts';
import { createCertificateRenderer } from '../certificates/pdf/certificate-renderer.ts';
import { traceCertificates } from '../telemetry/trace-certificates.ts';
import type { Program } from './program.ts';

/** Makes certificates on threads of their own, which are started when they are first needed. */
export function startCertificates({ config, parts, telemetry }: Program): CertificateMaker {
  const renderer = createCertificateRenderer({ threads: config.certificateThreads });
  parts.add('certificate renderer', () => renderer.close());
  const maker = createCertificateMaker(renderer);
  return telemetry.trace === null ? maker : traceCertificates(maker, telemetry.trace);
}
