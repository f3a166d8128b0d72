import { isIP } from 'node:net';
import { isAbsolute } from 'node:path';
import { z } from 'zod';
import { parseClientId, parseIssuer, parseProviderName } from './identity-provider.ts';
import { parseContact, parseOperatorName, parsePageUrl } from './operator.ts';
import { parseAccounts, parseOneAccount } from './parse-accounts.ts';
import {
  parseAuthorityUrl,
  parseDatabaseUrl,
  parseLedgerUrls,
  parseOtlpEndpoint,
  parsePublicUrl,
  parseStorageUrl,
  parseValidatorLists,
} from './parse-addresses.ts';
import { parseLogOrigin } from './parse-log-origin.ts';
import { Secret } from './secret.ts';
import { readCertificates } from './timestamp-authority.ts';
import {
  Mistake,
  oneOf,
  parseList,
  parseSwitch,
  parseWholeNumber,
  variable,
  wholeNumberVariable,
} from './variable.ts';

const roles = ['api', 'projector', 'reactor', 'signer'] as const;
export type Role = (typeof roles)[number];
export const otlpProtocols = ['http/protobuf', 'http/json'] as const;
export const otelSamplers = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;
export const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

export const addressForms = ['off', 'truncated', 'hash', 'full'] as const;

export const production = 'production';

/** The schema of every variable. `contradictions` checks variables against each other. */
export const variables = z.object({
  HOST: z.string().default('127.0.0.1'),
  PORT: wholeNumberVariable(0, 65_535).default(3_000),
  PUBLIC_URL: variable(parsePublicUrl).optional(),
  DATABASE_URL: variable(parseDatabaseUrl).optional(),
  DATA_DIR: z.string().default('./var'),
  MASTER_KEY: variable(parseMasterKeys).optional(),
  LOG_KEY: variable(parseLogKeys).optional(),
  LOG_ORIGIN: variable(parseLogOrigin).optional(),
  WITNESS_POLICY: z.string().optional(),
  CHECKPOINT_INTERVAL_MS: wholeNumberVariable(10, 60_000).default(2_000),
  XRPL_MAINNET_URL: variable(parseLedgerUrls).optional(),
  XRPL_TESTNET_URL: variable(parseLedgerUrls).optional(),
  XRPL_MAINNET_ACCOUNTS: variable(parseAccounts).optional(),
  XRPL_TESTNET_ACCOUNTS: variable(parseAccounts).optional(),
  XRPL_MAINNET_CHECKPOINT_ACCOUNT: variable(parseOneAccount).optional(),
  XRPL_TESTNET_CHECKPOINT_ACCOUNT: variable(parseOneAccount).optional(),
  XRPL_MAINNET_VALIDATOR_LISTS: variable(parseValidatorLists).optional(),
  XRPL_TESTNET_VALIDATOR_LISTS: variable(parseValidatorLists).optional(),
  TSA_URL: variable(parseAuthorityUrl).optional(),
  TSA_CERTIFICATES: variable(readCertificates).optional(),
  CERTIFICATE_SIGNING_KEY: z.string().optional(),
  CERTIFICATE_SIGNING_PASSWORD: z.string().optional(),
  STORAGE_URL: variable(parseStorageUrl).optional(),
  MAX_UPLOAD_BYTES: wholeNumberVariable(1, 5_368_709_120).default(104_857_600),
  MIN_FREE_BYTES: wholeNumberVariable(0, 999_999_999_999_999).optional(),
  STORAGE_ALLOWANCE_BYTES: wholeNumberVariable(0, 999_999_999_999_999).optional(),
  CERTIFICATE_THREADS: wholeNumberVariable(1, 64).default(1),
  CALL_THREADS: wholeNumberVariable(1, 64).default(2),
  ROLES: variable(parseRoles).default(['api', 'projector', 'reactor']),
  SIGNER_SOCKET: variable(parseSocket).optional(),
  SIGNATURES_PER_MINUTE: wholeNumberVariable(500, 10_000_000).default(60_000),
  RECORD_CLIENT_ADDRESSES: variable((text) => oneOf(addressForms, text)).default('off'),
  RECORD_OPERATOR: variable(parseSwitch).default(true),
  OPERATOR: variable(parseOperator).optional(),
  OPERATOR_NAME: variable(parseOperatorName).optional(),
  OPERATOR_CONTACT: variable(parseContact).optional(),
  OPERATOR_IMPRINT_URL: variable((text) => parsePageUrl(text)).optional(),
  OPERATOR_PRIVACY_URL: variable((text) => parsePageUrl(text)).optional(),
  OIDC_ISSUER: variable(parseIssuer).optional(),
  OIDC_CLIENT_ID: variable(parseClientId).optional(),
  OIDC_CLIENT_SECRET: z.string().optional(),
  OIDC_NAME: variable(parseProviderName).optional(),
  TRUST_PROXY: variable(parseTrustProxy).default([]),
  ADDRESS_REQUESTS_PER_MINUTE: wholeNumberVariable(1, 1_000_000_000).default(600),
  ITEMS_PER_DAY: wholeNumberVariable(1_000, 1_000_000_000).default(10_000),
  PROOF_WAIT_MS: wholeNumberVariable(1, 600_000).default(45_000),
  LEDGER_LOAD_PERCENT: wholeNumberVariable(15, 100).default(100),
  STANDALONE_CLOSE_MS: wholeNumberVariable(10, 60_000).default(1_000),
  LOG_LEVEL: variable((text) => oneOf(logLevels, text)).default('info'),
  MAX_FEE_DROPS: wholeNumberVariable(10, 100_000_000).default(1_000),
  CHECKPOINT_ANCHOR_INTERVAL_MS: wholeNumberVariable(100, 31_622_400_000).default(3_600_000),
  NODE_ENV: z.string().optional(),
  WEBHOOK_ALLOW_HTTP: variable(parseSwitch).default(false),
  WEBHOOK_ALLOW_PRIVATE: variable(parseSwitch).default(false),
  WEBHOOK_PORTS: variable(parsePorts).optional(),
  METRICS_HOST: z.string().default('127.0.0.1'),
  METRICS_PORT: variable(parseMetricsPort).optional(),
  OTEL_EXPORTER_OTLP_ENDPOINT: variable(parseOtlpEndpoint).optional(),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: variable(parseOtlpEndpoint).optional(),
  OTEL_EXPORTER_OTLP_PROTOCOL: variable(parseOtlpProtocol).default('http/protobuf'),
  OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: variable(parseOtlpProtocol).optional(),
  OTEL_TRACES_EXPORTER: variable((text) => oneOf(['otlp', 'none'], text)).default('otlp'),
  OTEL_TRACES_SAMPLER: variable((text) => oneOf(otelSamplers, text)).default(
    'parentbased_always_on',
  ),
  OTEL_TRACES_SAMPLER_ARG: variable(parseRatio).default(1),
  OTEL_SERVICE_NAME: z.string().default('proofmark'),
  OTEL_SDK_DISABLED: variable(parseSwitch).default(false),
});

export type Variables = z.infer<typeof variables>;

/** Null: no port. */
function parseMetricsPort(text: string): number | null {
  return text === 'off' ? null : parseWholeNumber(text, 0, 65_535);
}

function parseOtlpProtocol(text: string): (typeof otlpProtocols)[number] {
  return oneOf(otlpProtocols, text);
}

function parseRatio(text: string): number {
  const value = /^\d*\.?\d+$/.test(text) ? Number(text) : Number.NaN;
  if (value >= 0 && value <= 1) return value;
  throw new Mistake(`must be a number from 0 to 1, not ${JSON.stringify(text)}`);
}

function parsePorts(text: string): number[] {
  return parseList(text).map((entry) => parseWholeNumber(entry, 1, 65_535));
}

function parseRoles(text: string): Role[] {
  const chosen = parseList(text).map((entry) => oneOf(roles, entry));
  if (chosen.includes('signer') && chosen.length > 1) {
    throw new Mistake('`signer` must be the only role of a process: it is alone with the keys');
  }
  return chosen;
}

/** Only the first key wraps; all keys unwrap. */
function parseMasterKeys(text: string) {
  const [present, ...former] = text.split(',').map((entry) => parseKey(entry.trim()));
  return { present, former };
}

function parseLogKeys(text: string): Secret<Buffer>[] {
  return parseList(text).map(parseKey);
}

function parseKey(text: string): Secret<Buffer> {
  const key = Buffer.from(text, 'base64');
  const canonical = key.toString('base64');
  if (key.length === 32 && (text === canonical || `${text}=` === canonical)) return new Secret(key);
  throw new Mistake('must be 32 bytes in base64: make one with `openssl rand -base64 32`');
}

function parseOperator(text: string): string {
  if ([...text].length <= 255 && text.isWellFormed() && !/\p{Cc}/u.test(text)) return text;
  throw new Mistake('must be a name of at most 255 characters, without control characters');
}

/** Returns a number, or networks in comparable form. A single address becomes a network of one. */
function parseTrustProxy(text: string): number | readonly string[] {
  if (/^\d+$/.test(text)) return parseWholeNumber(text, 0, 32);
  return parseList(text).map((entry) => {
    const [address = '', bits, ...more] = entry.split('/');
    const family = isIP(address);
    if (family === 0 || more.length > 0) {
      throw new Mistake(
        `must be addresses and networks such as 10.0.0.0/8, or a number of proxies, not ${JSON.stringify(entry)}`,
      );
    }
    const whole = family === 4 ? 32 : 128;
    return `${address}/${bits === undefined ? whole : parseWholeNumber(bits, 0, whole)}`;
  });
}

/** The longest path of a Unix socket on Linux is 107 bytes (unix(7)). */
function parseSocket(text: string): string {
  if (isAbsolute(text) && Buffer.byteLength(text) <= 107) return text;
  throw new Mistake('must be an absolute path of at most 107 bytes');
}
