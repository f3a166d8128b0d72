import type { Test } from 'tap';
import { createCertificateMaker } from '../../src/certificates/certificate-maker.ts';
import {
  type CertificateRenderer,
  createCertificateRenderer,
} from '../../src/certificates/pdf/certificate-renderer.ts';

/** Shares one rendering thread, which reads the fonts once, between all services of a test file. */
export function sharedRenderer(file: Pick<Test, 'teardown'>) {
  const renderer: CertificateRenderer = createCertificateRenderer();
  file.teardown(() => renderer.close());
  return { newMaker: () => createCertificateMaker(renderer) };
}
