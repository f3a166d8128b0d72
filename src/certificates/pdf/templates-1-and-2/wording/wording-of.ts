import type { CertificateContent } from '../../../certificate-content.ts';
import type { Wording } from './wording.ts';
import { wording1 } from './wording-1.ts';
import { wording2 } from './wording-2.ts';

/** The texts of the template that a certificate was issued with. */
export function wordingOf({
  templateVersion,
}: Pick<CertificateContent, 'templateVersion'>): Wording {
  return templateVersion === 1 ? wording1 : wording2;
}
