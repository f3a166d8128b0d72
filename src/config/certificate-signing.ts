import { resolve } from 'node:path';
import { Secret } from './secret.ts';
import type { Variables } from './variables.ts';

/** Key by which certificates (PDF) are signed. */
export interface CertificateSigningConfig {
  /** Absolute path of a PKCS #12 file. */
  readonly file: string;
  readonly password: Secret<string>;
}

/** Null: no key is configured. */
export function signingOf(vars: Variables): CertificateSigningConfig | null {
  const { CERTIFICATE_SIGNING_KEY: file, CERTIFICATE_SIGNING_PASSWORD: password = '' } = vars;
  return file === undefined ? null : { file: resolve(file), password: new Secret(password) };
}
