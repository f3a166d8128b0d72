import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { inspect } from 'node:util';
import { encode } from 'ripple-binary-codec';
import { deriveAddress, deriveKeypair } from 'ripple-keypairs';
import { z } from 'zod';
import { readSecretFiles } from './config/secret-files.ts';

/** What the environment configures; checked, and frozen through and through. */
export interface Config {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  /** Without a slash at its end; null: to be made of host and port once they are known. */
  readonly publicUrl: string | null;
  /** Null: the embedded PostgreSQL. It may hold a password. */
  readonly databaseUrl: Secret<string> | null;
  /** Absolute. */
  readonly dataDir: string;
  /** 32 bytes; null only with the embedded PostgreSQL: one is generated and kept in DATA_DIR. */
  readonly masterKey: Secret<Buffer> | null;
  /**
   * Ed25519 seeds of 32 bytes, each of which signs the checkpoints of the log. Null with the embedded
   * PostgreSQL (one is generated and kept in DATA_DIR), and where nothing is signed.
   */
  readonly logKeys: readonly Secret<Buffer>[] | null;
  /** The least time between two checkpoints that are published. */
  readonly checkpointIntervalMs: number;
  /** While keys are being wrapped anew: what wrapped them before. */
  readonly formerMasterKeys: readonly Secret<Buffer>[];
  /** Neither of them: the standalone ledger. */
  readonly networks: {
    readonly mainnet?: NetworkConfig;
    readonly testnet?: NetworkConfig;
  };
  /** `file:///…` or `s3://…`. */
  readonly storageUrl: string;
  /** The largest file that is taken. */
  readonly maxUploadBytes: number;
  /** That make PDFs, in each process that serves the API. */
  readonly certificateThreads: number;
  readonly roles: readonly Role[];
  /** Proxies that are believed whose requests they pass on: networks (`192.0.2.0/24`), or a number. */
  readonly trustProxy: number | readonly string[];
  /** How often one address may call what needs no key, and fail to show one. */
  readonly addressRequestsPerMinute: number;
  readonly proofWaitMs: number;
  readonly standaloneCloseMs: number;
  readonly logLevel: (typeof logLevels)[number];
  readonly maxFeeDrops: number;
  /** The least time between two anchored checkpoints that nobody has asked for. */
  readonly checkpointAnchorIntervalMs: number;
  readonly webhooks: WebhooksConfig;
  readonly metrics: MetricsConfig;
  /** Null: nothing is traced. */
  readonly tracing: TracingConfig | null;
}

/** Where `/metrics` is served. */
export interface MetricsConfig {
  readonly host: string;
  /** 0: any free port; null: nowhere. */
  readonly port: number | null;
  /** Whether the port was named: then it must be free. */
  readonly isRequired: boolean;
}

/** What is read of OpenTelemetry's own variables; the exporter reads `OTEL_EXPORTER_OTLP_…` itself. */
export interface TracingConfig {
  readonly protocol: (typeof otlpProtocols)[number];
  readonly sampler: (typeof otelSamplers)[number];
  /** From 0 to 1, of the samplers by ratio. */
  readonly samplerRatio: number;
  readonly serviceName: string;
}

/** What the URLs of webhook endpoints may be. */
export interface WebhooksConfig {
  /** For development: `http://` too. */
  readonly allowHttp: boolean;
  /** For development: addresses that are not public too. */
  readonly allowPrivate: boolean;
  /** Null: any, which is the default everywhere but in production. */
  readonly ports: readonly number[] | null;
}

export interface NetworkConfig {
  /** ws:// or wss://, in the order in which they are tried. */
  readonly urls: readonly string[];
  readonly accounts: readonly AccountConfig[];
  /** Checkpoints of the log are anchored from it; null: they are not anchored on this network. */
  readonly checkpointAccount: AccountConfig | null;
}

/** Without `address` the seed is the account's master key, with it its regular key. */
export interface AccountConfig {
  readonly address?: string;
  readonly seed: Secret<string>;
}

const roles = ['api', 'projector', 'reactor'] as const;
export type Role = (typeof roles)[number];

const otlpProtocols = ['http/protobuf', 'http/json'] as const;
const otelSamplers = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

/** A value that shows only as `[secret]` in JSON, templates and `inspect`. */
export class Secret<Value> {
  readonly #value: Value;

  constructor(value: Value) {
    this.#value = value;
    Object.freeze(this);
  }

  reveal(): Value {
    return this.#value;
  }

  toString(): string {
    return '[secret]';
  }

  toJSON(): string {
    return '[secret]';
  }

  [inspect.custom](): string {
    return '[secret]';
  }
}

/** The environment is not usable as it is. Each problem is a line that names a variable. */
export class ConfigError extends Error {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(`the configuration has mistakes:\n${problems.map((line) => `  ${line}`).join('\n')}`);
    this.name = 'ConfigError';
    this.problems = problems;
  }
}

/** Reads the environment; a variable that is empty is as if absent. Throws `ConfigError`. */
export function loadConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const present = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  const { given, problems: fileProblems } = readSecretFiles(present, secretNames);
  const parsed = variables.safeParse(given);
  const problems = (parsed.error?.issues ?? []).map(
    ({ path, message }) => `${path.join('.')}: ${message}`,
  );
  problems.push(...fileProblems, ...contradictions(given));
  if (!parsed.success || problems.length > 0) throw new ConfigError(problems);
  return deepFreeze(toConfig(parsed.data));
}

function toConfig(vars: Variables): Config {
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
    checkpointIntervalMs: vars.CHECKPOINT_INTERVAL_MS,
    networks: {
      ...networkOf(
        'mainnet',
        vars.XRPL_MAINNET_URL,
        vars.XRPL_MAINNET_ACCOUNTS,
        vars.XRPL_MAINNET_CHECKPOINT_ACCOUNT,
      ),
      ...networkOf(
        'testnet',
        vars.XRPL_TESTNET_URL,
        vars.XRPL_TESTNET_ACCOUNTS,
        vars.XRPL_TESTNET_CHECKPOINT_ACCOUNT,
      ),
    },
    storageUrl: vars.STORAGE_URL ?? pathToFileURL(resolve(dataDir, 'files')).href,
    maxUploadBytes: vars.MAX_UPLOAD_BYTES,
    certificateThreads: vars.CERTIFICATE_THREADS,
    roles: vars.ROLES,
    trustProxy: vars.TRUST_PROXY,
    addressRequestsPerMinute: vars.ADDRESS_REQUESTS_PER_MINUTE,
    proofWaitMs: vars.PROOF_WAIT_MS,
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

function tracingOf(vars: Variables): TracingConfig | null {
  const isAsked = vars.OTEL_EXPORTER_OTLP_ENDPOINT ?? vars.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT;
  if (isAsked === undefined || vars.OTEL_SDK_DISABLED || vars.OTEL_TRACES_EXPORTER === 'none') {
    return null;
  }
  return {
    protocol: vars.OTEL_EXPORTER_OTLP_TRACES_PROTOCOL ?? vars.OTEL_EXPORTER_OTLP_PROTOCOL,
    sampler: vars.OTEL_TRACES_SAMPLER,
    samplerRatio: vars.OTEL_TRACES_SAMPLER_ARG,
    serviceName: vars.OTEL_SERVICE_NAME,
  };
}

function networkOf(
  name: 'mainnet' | 'testnet',
  urls: readonly string[] | undefined,
  accounts: readonly ParsedAccount[] | undefined,
  checkpointAccount: ParsedAccount | undefined,
): Config['networks'] {
  if (urls === undefined || accounts === undefined) return {};
  const configured = accounts.map(configuredAccount);
  const ofCheckpoints = checkpointAccount ? configuredAccount(checkpointAccount) : null;
  return { [name]: { urls, accounts: configured, checkpointAccount: ofCheckpoints } };
}

function configuredAccount({ address, seed, ownAddress }: ParsedAccount): AccountConfig {
  return address === ownAddress ? { seed } : { address, seed };
}

/** An account as parsed: `address` is the anchoring account's, `ownAddress` the seed's own. */
interface ParsedAccount {
  readonly address: string;
  readonly ownAddress: string;
  readonly seed: Secret<string>;
}

/** What is wrong with a value, in words that follow the variable's name. */
class Mistake extends Error {}

/** A variable read by `parse`, which throws a `Mistake` or several (`AggregateError`). */
function variable<Value>(parse: (text: string) => Value) {
  return z.string().transform((text, context): Value => {
    try {
      return parse(text);
    } catch (error) {
      const mistakes: unknown[] = error instanceof AggregateError ? error.errors : [error];
      for (const mistake of mistakes) {
        if (!(mistake instanceof Mistake)) throw error;
        context.addIssue({ code: 'custom', message: mistake.message });
      }
      return z.NEVER;
    }
  });
}

const variables = z.object({
  HOST: z.string().default('127.0.0.1'),
  PORT: wholeNumber(0, 65_535).default(3_000),
  PUBLIC_URL: variable(parsePublicUrl).optional(),
  DATABASE_URL: variable(parseDatabaseUrl).optional(),
  DATA_DIR: z.string().default('./var'),
  MASTER_KEY: variable(parseMasterKeys).optional(),
  LOG_KEY: variable(parseLogKeys).optional(),
  CHECKPOINT_INTERVAL_MS: wholeNumber(10, 60_000).default(2_000),
  XRPL_MAINNET_URL: variable(parseLedgerUrls).optional(),
  XRPL_TESTNET_URL: variable(parseLedgerUrls).optional(),
  XRPL_MAINNET_ACCOUNTS: variable(parseAccounts).optional(),
  XRPL_TESTNET_ACCOUNTS: variable(parseAccounts).optional(),
  XRPL_MAINNET_CHECKPOINT_ACCOUNT: variable(parseOneAccount).optional(),
  XRPL_TESTNET_CHECKPOINT_ACCOUNT: variable(parseOneAccount).optional(),
  STORAGE_URL: variable(parseStorageUrl).optional(),
  MAX_UPLOAD_BYTES: wholeNumber(1, 5_368_709_120).default(104_857_600),
  CERTIFICATE_THREADS: wholeNumber(1, 64).default(1),
  ROLES: variable(parseRoles).default([...roles]),
  TRUST_PROXY: variable(parseTrustProxy).default([]),
  ADDRESS_REQUESTS_PER_MINUTE: wholeNumber(1, 1_000_000_000).default(600),
  PROOF_WAIT_MS: wholeNumber(1, 600_000).default(45_000),
  STANDALONE_CLOSE_MS: wholeNumber(10, 60_000).default(1_000),
  LOG_LEVEL: variable((text) => oneOf(logLevels, text)).default('info'),
  MAX_FEE_DROPS: wholeNumber(10, 100_000_000).default(1_000),
  CHECKPOINT_ANCHOR_INTERVAL_MS: wholeNumber(100, 31_622_400_000).default(3_600_000),
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
type Variables = z.infer<typeof variables>;

function wholeNumber(from: number, to: number) {
  return variable((text) => parseWholeNumber(text, from, to));
}

function parseWholeNumber(text: string, from: number, to: number): number {
  const value = /^\d{1,12}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= from && value <= to) return value;
  throw new Mistake(`must be a whole number from ${from} to ${to}, not ${JSON.stringify(text)}`);
}

function parseSwitch(text: string): boolean {
  return switchedOn.includes(oneOf([...switchedOn, 'false', '0'], text));
}

/** Null: no port. */
function parseMetricsPort(text: string): number | null {
  return text === 'off' ? null : parseWholeNumber(text, 0, 65_535);
}

function parseOtlpEndpoint(text: string): string {
  return parseUrl(text, ['http:', 'https:'], 'a URL like http://127.0.0.1:4318').href;
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

function oneOf<Word extends string>(words: readonly Word[], text: string): Word {
  const word = words.find((candidate) => candidate === text);
  if (word !== undefined) return word;
  throw new Mistake(`must be one of ${words.join(', ')}, not ${JSON.stringify(text)}`);
}

function parseList(text: string): string[] {
  const entries = text.split(',').map((entry) => entry.trim());
  if (entries.includes('')) throw new Mistake('has an empty entry: separate entries by one comma');
  if (new Set(entries).size < entries.length) throw new Mistake('names one entry twice');
  return entries;
}

function parseRoles(text: string): Role[] {
  return parseList(text).map((entry) => oneOf(roles, entry));
}

/** Networks in the one form in which they are compared; an address alone is a network of one. */
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

function parseUrl(text: string, protocols: readonly string[], form: string): URL {
  if (URL.canParse(text)) {
    const url = new URL(text);
    if (protocols.includes(url.protocol)) return url;
  }
  throw new Mistake(`must be ${form}`);
}

function parsePublicUrl(text: string): string {
  const form = 'a URL like https://proofs.example.com, without query and fragment';
  const url = parseUrl(text, ['http:', 'https:'], form);
  if (url.search !== '' || url.hash !== '' || url.username !== '') {
    throw new Mistake(`must be ${form}`);
  }
  // It is printed, in every certificate.
  if (url.href.length > 200) throw new Mistake('must have at most 200 characters');
  return url.href.replace(/\/+$/, '');
}

function parseDatabaseUrl(text: string): Secret<string> {
  const form = 'a URL like postgres://user:password@host:5432/database';
  parseUrl(text, ['postgres:', 'postgresql:'], form);
  return new Secret(text);
}

function parseLedgerUrls(text: string): string[] {
  const form = 'ws:// or wss:// URLs, separated by commas';
  return parseList(text).map((entry) => {
    parseUrl(entry, ['ws:', 'wss:'], form);
    return entry;
  });
}

function parseStorageUrl(text: string): string {
  const form = 'file:/folder or s3://bucket/prefix?endpoint=…&region=…';
  const url = parseUrl(text, ['file:', 's3:'], form);
  if (url.protocol === 's3:' && url.hostname === '') throw new Mistake(`must be ${form}`);
  if (url.protocol === 'file:' && !text.startsWith('file://')) {
    return pathToFileURL(resolve(decodeURI(text.slice('file:'.length)))).href;
  }
  if (url.password === '') return text;
  throw new Mistake('must not hold credentials: they are taken from AWS_ACCESS_KEY_ID and so on');
}

/** The first one wraps, all of them open. */
function parseMasterKeys(text: string) {
  const [present, ...former] = text.split(',').map((entry) => parseKey(entry.trim()));
  return { present, former };
}

function parseKey(text: string): Secret<Buffer> {
  const key = Buffer.from(text, 'base64');
  const canonical = key.toString('base64');
  if (key.length === 32 && (text === canonical || `${text}=` === canonical)) return new Secret(key);
  throw new Mistake('must be 32 bytes in base64: make one with `openssl rand -base64 32`');
}

function parseLogKeys(text: string): Secret<Buffer>[] {
  return parseList(text).map(parseKey);
}

/** Entries are told by their number: a seed, or what may be a part of one, is never repeated. */
function parseAccounts(text: string): ParsedAccount[] {
  const entries = text.split(',').map((entry) => entry.trim());
  const mistakes: Mistake[] = [];
  const accounts: ParsedAccount[] = [];
  entries.forEach((entry, index) => {
    const account = parseAccount(entry);
    const name = `entry ${index + 1}`;
    if (typeof account === 'string') mistakes.push(new Mistake(`${name}: ${account}`));
    else if (accounts.some(({ address }) => address === account.address)) {
      mistakes.push(new Mistake(`${name}: its account is named twice`));
    } else accounts.push(account);
  });
  if (mistakes.length > 0) throw new AggregateError(mistakes);
  return accounts;
}

function parseOneAccount(text: string): ParsedAccount {
  const account = parseAccount(text.trim());
  if (typeof account === 'string') throw new Mistake(account);
  return account;
}

function parseAccount(entry: string): ParsedAccount | string {
  const [seed, address, ...more] = entry.split(':').reverse();
  if (seed === undefined || more.length > 0) return 'must be `seed` or `address:seed`';
  let ownAddress: string;
  try {
    ownAddress = deriveAddress(deriveKeypair(seed).publicKey);
  } catch {
    return 'must be `seed` or `address:seed`, and the seed is none';
  }
  if (address !== undefined && !isAddress(address)) return 'the address before the colon is none';
  return { address: address ?? ownAddress, ownAddress, seed: new Secret(seed) };
}

function isAddress(text: string): boolean {
  try {
    // The codec checks the checksum; it also takes hex, which is no address.
    return text.startsWith('r') && encode({ Account: text }).length > 0;
  } catch {
    return false;
  }
}

/** What may be in a file that `NAME_FILE` names. */
const secretNames = [
  'DATABASE_URL',
  'MASTER_KEY',
  'LOG_KEY',
  'XRPL_MAINNET_ACCOUNTS',
  'XRPL_TESTNET_ACCOUNTS',
];
/** Of Prometheus exporters, by its registry of ports: OpenTelemetry's. */
const defaultMetricsPort = 9464;
const production = 'production';
const switchedOn: readonly string[] = ['true', '1'];

/** What is wrong with variables that are right each for itself. */
function contradictions(given: Readonly<Record<string, string | undefined>>): string[] {
  const problems: string[] = [];
  for (const name of ['WEBHOOK_ALLOW_HTTP', 'WEBHOOK_ALLOW_PRIVATE']) {
    if (given.NODE_ENV !== production || !switchedOn.includes(given[name] ?? '')) continue;
    problems.push(`${name}: is for development: it must not be true with NODE_ENV=production`);
  }
  const urls = ['XRPL_MAINNET_URL', 'XRPL_TESTNET_URL'];
  const hosted = given.DATABASE_URL !== undefined;
  if (hosted && given.MASTER_KEY === undefined) {
    problems.push('MASTER_KEY: is required with DATABASE_URL: `openssl rand -base64 32` makes one');
  }
  const runsReactor = (given.ROLES ?? 'reactor').includes('reactor');
  if (hosted && runsReactor && given.LOG_KEY === undefined) {
    problems.push(
      'LOG_KEY: is required with DATABASE_URL and the role reactor, to sign the checkpoints of the log: `openssl rand -base64 32` makes one',
    );
  }
  if (hosted && !urls.some((name) => given[name] !== undefined)) {
    problems.push(
      `${urls.join(' or ')}: is required with DATABASE_URL (\`npm run ledger\` runs a development ledger)`,
    );
  }
  for (const url of urls) {
    const accounts = url.replace('URL', 'ACCOUNTS');
    if (given[url] !== undefined && given[accounts] === undefined) {
      problems.push(`${accounts}: is required with ${url}: the accounts to anchor from`);
    }
    if (given[url] === undefined && given[accounts] !== undefined) {
      problems.push(`${url}: is required with ${accounts}: the servers to anchor through`);
    }
  }
  for (const url of urls) problems.push(...checkpointContradictions(given, url));
  const testnet = seedAddresses(given.XRPL_TESTNET_ACCOUNTS, given.XRPL_TESTNET_CHECKPOINT_ACCOUNT);
  const mainnet = [given.XRPL_MAINNET_ACCOUNTS, given.XRPL_MAINNET_CHECKPOINT_ACCOUNT];
  if (seedAddresses(...mainnet).some((address) => testnet.includes(address))) {
    problems.push(
      'XRPL_TESTNET_ACCOUNTS: shares a seed with XRPL_MAINNET_ACCOUNTS: use different keys per network',
    );
  }
  return problems;
}

/** Whoever anchors a checkpoint must not wait for proofs, nor they for it. */
function checkpointContradictions(
  given: Readonly<Record<string, string | undefined>>,
  url: string,
): string[] {
  const name = url.replace('URL', 'CHECKPOINT_ACCOUNT');
  const accounts = url.replace('URL', 'ACCOUNTS');
  const [own] = accountsIn(given[name]);
  if (own === undefined) return [];
  if (given[url] === undefined) {
    return [`${url}: is required with ${name}: the servers to anchor through`];
  }
  const isShared = accountsIn(given[accounts]).some(({ address }) => address === own.address);
  return isShared
    ? [`${name}: is one of ${accounts}: checkpoints need an account of their own`]
    : [];
}

/** The seeds of lists, each by the address it stands for; what is no account is passed over. */
function seedAddresses(...lists: readonly (string | undefined)[]): string[] {
  return lists.flatMap(accountsIn).map(({ ownAddress }) => ownAddress);
}

function accountsIn(list = ''): ParsedAccount[] {
  return list.split(',').flatMap((entry) => {
    const account = parseAccount(entry.trim());
    return typeof account === 'string' ? [] : [account];
  });
}

/** Freezes objects and lists; a secret is frozen by itself and a Buffer cannot be. */
function deepFreeze<Value>(value: Value): Value {
  if (typeof value === 'object' && value !== null && !(value instanceof Secret)) {
    for (const member of Object.values(value)) deepFreeze(member);
    Object.freeze(value);
  }
  return value;
}
