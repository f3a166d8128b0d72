import type { Test } from 'tap';
import { createCertificateMaker } from '../../src/certificates/certificate-maker.ts';
import {
  type CertificateRenderer,
  createCertificateRenderer,
} from '../../src/certificates/pdf/certificate-renderer.ts';

/** A maker for each service of a test file, over one thread, which so reads its fonts once. */
export function sharedRenderer(file: Pick<Test, 'teardown'>) {
  const renderer: CertificateRenderer = createCertificateRenderer();
  file.teardown(() => renderer.close());
  return { newMaker: () => createCertificateMaker(renderer) };
}
