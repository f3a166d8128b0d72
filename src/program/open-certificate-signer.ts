import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { CertificateSigner } from '../certificates/signature/certificate-signer.ts';
import type { SigningKey } from '../certificates/signature/signing-key.ts';
import type { Config } from '../config.ts';
import { missing } from '../files/missing.ts';
import { replaceFile } from '../files/replace-file.ts';
import { CannotServe } from './cannot-serve.ts';
import { now, type Program } from './program.ts';

const selfMade = 'certificate-signing.pem';
const dayMs = 86_400_000;
/** The operator is reminded from this time before the end of a certificate on. */
const reminderMs = 30 * dayMs;
/** An invalid certificate is logged again after this time. */
const sayEveryMs = 3_600_000;

type SigningConfig = Pick<
  Config,
  'certificateSigning' | 'databaseUrl' | 'dataDir' | 'timestampAuthority'
>;
type Needed = Pick<Program, 'log'> & { readonly config: SigningConfig };

/**
 * Opens the key that signs certificates (PDF): the configured one, or with the embedded PostgreSQL a
 * self-made one in DATA_DIR. Null without a key. Rejects with `CannotServe` if it cannot be used.
 */
export async function openCertificateSigner({
  config,
  log,
}: Needed): Promise<CertificateSigner | null> {
  if (config.certificateSigning === null && config.databaseUrl !== null) return null;
  // Loaded only where it is needed: the library of certificates is large.
  const { UnusableSigningKey, validityOf } = await import(
    '../certificates/signature/signing-key.ts'
  );
  const { createCertificateSigner } = await import(
    '../certificates/signature/certificate-signer.ts'
  );
  const key = await readKey(config).catch((cause: unknown) => {
    if (!(cause instanceof UnusableSigningKey)) throw cause;
    throw new CannotServe(`${nameOf(config)} ${cause.message}`, { cause });
  });
  await warnIfReadable(fileOf(config), log);
  const { to } = validityOf(key);
  const left = to.getTime() - now().getTime();
  if (left > 0 && left < reminderMs) {
    log.warn(
      { expiresAt: to.toISOString() },
      'the certificate that signs PDFs expires soon; replace CERTIFICATE_SIGNING_KEY and restart',
    );
  }
  let saidAt = -Infinity;
  const signer = createCertificateSigner({
    key,
    stamp: await stampBy(config),
    now,
    onUnstamped: (err) =>
      log.warn(
        { err },
        'the time-stamping authority issued no token for the signature of a certificate; it is ' +
          'issued without the token, and the authority is not asked for a minute',
      ),
    onInvalid: ({ from, to }) => {
      if (performance.now() - saidAt < sayEveryMs) return;
      saidAt = performance.now();
      log.error(
        { validFrom: from.toISOString(), expiresAt: to.toISOString() },
        'the certificate that signs PDFs is not valid now; PDFs are issued without a signature; ' +
          'replace CERTIFICATE_SIGNING_KEY and restart',
      );
    },
  });
  // Logs at the start that the certificate is not valid.
  signer.room();
  return signer;
}

function nameOf(config: SigningConfig): string {
  const file = fileOf(config);
  return config.certificateSigning === null ? file : `CERTIFICATE_SIGNING_KEY: ${file}`;
}

function fileOf({ certificateSigning, dataDir }: SigningConfig): string {
  return certificateSigning?.file ?? join(dataDir, selfMade);
}

/** Secrets of containers are often mounted readable for everybody, so this does not end the start. */
async function warnIfReadable(file: string, log: Needed['log']): Promise<void> {
  const { mode } = await stat(file);
  if ((mode & 0o077) === 0) return;
  log.warn(
    { file, mode: (mode & 0o777).toString(8) },
    'other users of this machine can read or change the key that signs PDFs; run chmod 600 on the file',
  );
}

async function readKey({ certificateSigning, dataDir }: SigningConfig): Promise<SigningKey> {
  if (certificateSigning === null) return readSelfMade(join(dataDir, selfMade));
  const { readPkcs12 } = await import('../certificates/signature/read-pkcs12.ts');
  const { file, password } = certificateSigning;
  const bytes = await readFile(file).catch((cause: Error & { code?: string }) => {
    throw new CannotServe(
      `CERTIFICATE_SIGNING_KEY: ${file} cannot be read (${cause.code ?? cause.message})`,
      { cause },
    );
  });
  return readPkcs12(bytes, password.reveal());
}

/** The caller has locked DATA_DIR, so no other process creates the key. */
async function readSelfMade(file: string): Promise<SigningKey> {
  const { makeSigningKey, readSelfMadeKey } = await import(
    '../certificates/signature/self-made-key.ts'
  );
  const present = await readFile(file, 'utf8').catch(missing(null));
  if (present !== null) return readSelfMadeKey(present);
  const made = await makeSigningKey(now());
  await replaceFile(file, made, 0o600);
  return readSelfMadeKey(made);
}

async function stampBy({ timestampAuthority }: SigningConfig) {
  if (timestampAuthority === null) return null;
  const { askAuthority } = await import('../timestamps/ask-authority.ts');
  const roots = timestampAuthority.roots.map((root) => Buffer.from(root, 'base64'));
  return async (signature: Uint8Array, stopped: AbortSignal): Promise<Uint8Array> => {
    const authority = { url: timestampAuthority.url.reveal(), roots };
    return (await askAuthority(authority, signature, stopped)).token;
  };
}
