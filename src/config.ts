import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type CertificateSigningConfig, signingOf } from './config/certificate-signing.ts';
import { ConfigError } from './config/config-error.ts';
import { contradictions } from './config/contradictions.ts';
import { type IdentityProviderConfig, identityProviderOf } from './config/identity-provider.ts';
import { type NetworksConfig, needlessSeedsOf, networksOf, seedNames } from './config/networks.ts';
import { type OperatorConfig, operatorOf } from './config/operator.ts';
import { logOriginOf } from './config/parse-log-origin.ts';
import { Secret } from './config/secret.ts';
import { readSecretFiles } from './config/secret-files.ts';
import { readStorageCredentials, type StorageCredentials } from './config/storage-credentials.ts';
import { authorityOf, type TimestampAuthorityConfig } from './config/timestamp-authority.ts';
import { type TracingConfig, tracingOf } from './config/tracing.ts';
import {
  type addressForms,
  type logLevels,
  production,
  type Role,
  type Variables,
  variables,
} from './config/variables.ts';

/** The checked configuration of the environment, deeply frozen. */
export interface Config {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  /** Without a trailing slash. Null: made of host and port once both are known. */
  readonly publicUrl: string | null;
  /** URL, possibly with a password. Null: the embedded PostgreSQL. */
  readonly databaseUrl: Secret<string> | null;
  /** Absolute. */
  readonly dataDir: string;
  /** 32 bytes; null only with the embedded PostgreSQL: one is generated and kept in DATA_DIR. */
  readonly masterKey: Secret<Buffer> | null;
  /**
   * Ed25519 seeds of 32 bytes, each of which signs the checkpoints of the log. Null with the
   * embedded PostgreSQL (one is generated and kept in DATA_DIR), and in a process that signs
   * nothing.
   */
  readonly logKeys: readonly Secret<Buffer>[] | null;
  /**
   * Start of the log's name, which a database keeps from its first start on. Null: without
   * PUBLIC_URL.
   */
  readonly logOrigin: string | null;
  /** Absolute path of the policy that names the witnesses of the log; null for none. */
  readonly witnessPolicy: string | null;
  /** Minimum time between two published checkpoints. */
  readonly checkpointIntervalMs: number;
  /** Former master keys, needed while keys are being wrapped anew. */
  readonly formerMasterKeys: readonly Secret<Buffer>[];
  /** Empty: the standalone ledger. */
  readonly networks: NetworksConfig;
  /** Asked for the time of anchored checkpoints; null: nobody is asked. */
  readonly timestampAuthority: TimestampAuthorityConfig | null;
  /** Null: certificates have a self-made signature with the embedded PostgreSQL, and none otherwise. */
  readonly certificateSigning: CertificateSigningConfig | null;
  /** `file:///…` or `s3://…`. */
  readonly storageUrl: string;
  /** Credentials of the bucket from files; null for those of the AWS environment. */
  readonly storageCredentials: StorageCredentials | null;
  /** Maximum size of an uploaded file. */
  readonly maxUploadBytes: number;
  /** Least free bytes of a disk, below which uploads are refused; null is the default. */
  readonly minFreeBytes: number | null;
  /** Storage allowance of organisations without their own; null is unlimited. */
  readonly storageAllowanceBytes: number | null;
  /** Threads that make PDFs, in each process that serves the API. */
  readonly certificateThreads: number;
  /** Threads that handle lists, runs and similar calls, in each process that serves the API. */
  readonly callThreads: number;
  readonly roles: readonly Role[];
  /** Unix socket on which the role signer signs for others; null: each reactor signs by itself. */
  readonly signerSocket: string | null;
  /** Limit of the role signer. */
  readonly signaturesPerMinute: number;
  /** Names of the variables with seeds that this process never uses. */
  readonly needlessSeeds: readonly string[];
  /** Trusted proxies: networks (`192.0.2.0/24`), or their number. */
  readonly trustProxy: number | readonly string[];
  /** People may sign in to the console by it; null: by passkeys only. */
  readonly identityProvider: IdentityProviderConfig | null;
  /** Shown to everybody on the pages. */
  readonly operator: OperatorConfig;
  readonly records: RecordsConfig;
  /** Requests per minute from one address: calls without a key, and failed authentications. */
  readonly addressRequestsPerMinute: number;
  /** Items of batches that a key may post in a day. */
  readonly itemsPerDay: number;
  readonly proofWaitMs: number;
  /** Part of a public server's limit that this process uses for itself. */
  readonly ledgerLoadPercent: number;
  readonly standaloneCloseMs: number;
  readonly logLevel: (typeof logLevels)[number];
  readonly maxFeeDrops: number;
  /** Minimum time between two anchored checkpoints that were not requested. */
  readonly checkpointAnchorIntervalMs: number;
  readonly webhooks: WebhooksConfig;
  readonly metrics: MetricsConfig;
  /** Null: tracing is off. */
  readonly tracing: TracingConfig | null;
}

/** Personal data that are recorded with events. */
interface RecordsConfig {
  /** How much of the address of a client. */
  readonly clientAddress: (typeof addressForms)[number];
  /** True if the name of the operator is recorded. */
  readonly operator: boolean;
  /** Null: the user of the operating system. */
  readonly operatorName: string | null;
}

/** Address of `/metrics`. */
interface MetricsConfig {
  readonly host: string;
  /** 0: any free port; null: `/metrics` is not served. */
  readonly port: number | null;
  /** True if the port was configured: the port must then be free. */
  readonly isRequired: boolean;
}

/** Rules for the URLs of webhook endpoints. */
interface WebhooksConfig {
  /** For development: also allows `http://`. */
  readonly allowHttp: boolean;
  /** For development: also allows addresses that are not public. */
  readonly allowPrivate: boolean;
  /** Allowed ports. Null: any port, the default except in production. */
  readonly ports: readonly number[] | null;
}

/**
 * Reads the environment. An empty variable counts as absent. Throws `ConfigError`.
 * @param onlyReads for a command that only reads: no variable requires another one
 */
export function loadConfig(
  env: Readonly<Record<string, string | undefined>>,
  { onlyReads = false }: { readonly onlyReads?: boolean } = {},
): Config {
  const present = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  const { given, problems: fileProblems } = readSecretFiles(present, secretNames);
  const storage = readStorageCredentials(present);
  const parsed = variables.safeParse(given);
  const problems = (parsed.error?.issues ?? []).map(
    ({ path, message }) => `${path.join('.')}: ${message}`,
  );
  problems.push(...fileProblems, ...storage.problems);
  if (!onlyReads) problems.push(...contradictions(given));
  if (!parsed.success || problems.length > 0) throw new ConfigError(problems);
  return deepFreeze({ ...toConfig(parsed.data), storageCredentials: storage.credentials });
}

/** Secrets that may be in a file, named by `NAME_FILE`. */
const secretNames = [
  ...['DATABASE_URL', 'MASTER_KEY', 'LOG_KEY', 'TSA_URL', 'CERTIFICATE_SIGNING_PASSWORD'],
  'OIDC_CLIENT_SECRET',
  ...seedNames,
];

function toConfig(vars: Variables): Omit<Config, 'storageCredentials'> {
  const dataDir = resolve(vars.DATA_DIR);
  return {
    host: vars.HOST,
    port: vars.PORT,
    publicUrl: vars.PUBLIC_URL ?? null,
    databaseUrl: vars.DATABASE_URL ?? null,
    dataDir,
    masterKey: vars.MASTER_KEY?.present ?? null,
    formerMasterKeys: vars.MASTER_KEY?.former ?? [],
    logKeys: vars.LOG_KEY ?? null,
    logOrigin:
      vars.LOG_ORIGIN ?? (vars.PUBLIC_URL === undefined ? null : logOriginOf(vars.PUBLIC_URL)),
    witnessPolicy: vars.WITNESS_POLICY === undefined ? null : resolve(vars.WITNESS_POLICY),
    checkpointIntervalMs: vars.CHECKPOINT_INTERVAL_MS,
    networks: networksOf(vars),
    timestampAuthority: authorityOf(vars),
    certificateSigning: signingOf(vars),
    storageUrl: vars.STORAGE_URL ?? pathToFileURL(resolve(dataDir, 'files')).href,
    maxUploadBytes: vars.MAX_UPLOAD_BYTES,
    minFreeBytes: vars.MIN_FREE_BYTES ?? null,
    storageAllowanceBytes: vars.STORAGE_ALLOWANCE_BYTES ?? null,
    certificateThreads: vars.CERTIFICATE_THREADS,
    callThreads: vars.CALL_THREADS,
    roles: vars.ROLES,
    signerSocket: vars.SIGNER_SOCKET ?? null,
    signaturesPerMinute: vars.SIGNATURES_PER_MINUTE,
    needlessSeeds: needlessSeedsOf(vars),
    trustProxy: vars.TRUST_PROXY,
    identityProvider: identityProviderOf(vars),
    operator: operatorOf(vars),
    records: {
      clientAddress: vars.RECORD_CLIENT_ADDRESSES,
      operator: vars.RECORD_OPERATOR,
      operatorName: vars.OPERATOR ?? null,
    },
    addressRequestsPerMinute: vars.ADDRESS_REQUESTS_PER_MINUTE,
    itemsPerDay: vars.ITEMS_PER_DAY,
    proofWaitMs: vars.PROOF_WAIT_MS,
    ledgerLoadPercent: vars.LEDGER_LOAD_PERCENT,
    standaloneCloseMs: vars.STANDALONE_CLOSE_MS,
    logLevel: vars.LOG_LEVEL,
    maxFeeDrops: vars.MAX_FEE_DROPS,
    checkpointAnchorIntervalMs: vars.CHECKPOINT_ANCHOR_INTERVAL_MS,
    webhooks: {
      allowHttp: vars.WEBHOOK_ALLOW_HTTP,
      allowPrivate: vars.WEBHOOK_ALLOW_PRIVATE,
      ports: vars.WEBHOOK_PORTS ?? (vars.NODE_ENV === production ? [443] : null),
    },
    metrics: {
      host: vars.METRICS_HOST,
      port: vars.METRICS_PORT === undefined ? defaultMetricsPort : vars.METRICS_PORT,
      isRequired: vars.METRICS_PORT !== undefined,
    },
    tracing: tracingOf(vars),
  };
}

/** OpenTelemetry's port in the list of ports of Prometheus exporters. */
const defaultMetricsPort = 9464;

/** Freezes objects and lists. A `Secret` freezes itself, and a Buffer cannot be frozen. */
function deepFreeze<Value>(value: Value): Value {
  if (typeof value === 'object' && value !== null && !(value instanceof Secret)) {
    for (const member of Object.values(value)) deepFreeze(member);
    Object.freeze(value);
  }
  return value;
}
