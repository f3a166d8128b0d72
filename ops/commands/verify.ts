import { type Command, InvalidArgumentError } from 'commander';
import { isValidClassicAddress } from 'ripple-address-codec';
import { checkBundle } from '../../src/certificates/check-bundle.ts';
import { OperatorError } from '../../src/errors/operator-error.ts';
import { readPolicy } from '../../src/transparency-log/cosigning/read-policy.ts';
import { isStatedByIssuer } from '../../src/verifier/check/check-issuer.ts';
import { knownPublishers } from '../../src/verifier/evidence/known-publishers.ts';
import { type ReadKey, readLogKey } from '../../src/verifier/log/note-key.ts';
import { commaSeparated } from '../terminal/arguments.ts';
import { givenPath } from '../terminal/given-path.ts';
import { printable, printableJson } from '../terminal/printable.ts';
import { askServer } from '../verifying/ask-server.ts';

import { checkPdf } from '../verifying/check-pdf.ts';
import { findTimestamp } from '../verifying/find-timestamp.ts';
import { hashPath } from '../verifying/hash-path.ts';
import { readIssuerKeys } from '../verifying/issuer-keys.ts';
import { readCertificates, readEvidence, readXpopFile } from '../verifying/read-evidence.ts';
import { conclude, verificationInWords } from '../verifying/verification-in-words.ts';
import { verdictOnXpop } from '../verifying/verify-xpop-file.ts';
import { parseHttp } from './audit-arguments.ts';

interface Options {
  readonly bundle?: string;
  readonly certificate?: string;
  readonly file?: string;
  readonly ledger?: string;
  readonly account?: readonly string[];
  readonly logKey?: readonly ReadKey[];
  readonly policy?: string;
  readonly validatorListKey?: readonly string[];
  readonly issuerKey?: readonly string[];
  readonly server?: string;
  readonly recorded?: string;
  readonly tsaCa?: string;
  readonly xpop?: string;
  readonly json?: boolean;
}

/** Adds `verify`, which needs neither configuration nor database. */
export function addVerifyCommand(program: Command): void {
  program
    .command('verify')
    .description(
      'verify a certificate, proof bundle or XPOP, offline or with a server of the ledger',
    )
    .option('--bundle <file>', 'the proof bundle (JSON)', once(givenPath))
    .option(
      '--certificate <file>',
      'the certificate (PDF) that contains the bundle, instead of --bundle',
      once(givenPath),
    )
    .option('--file <document>', 'the proven file', once(givenPath))
    .option(
      '--ledger <url>',
      'a server of the XRP Ledger that you trust (wss://…)',
      once(ledgerUrl),
    )
    .option(
      '--account <addresses>',
      'accounts that may have anchored the proof, separated by commas',
      once(addresses),
    )
    .option(
      '--log-key <vkeys>',
      'known keys of the log, of all epochs, separated by commas',
      once(logKeys),
    )
    .option(
      '--policy <file>',
      'file with the witnesses that you trust, and their quorum (tlog-policy); may also name keys of the log',
      once(givenPath),
    )
    .option(
      '--validator-list-key <key>',
      'master key (hex) of a publisher whose validator lists you trust; repeatable',
      listKey,
    )
    .option(
      '--issuer-key <vkey>',
      'key of an issuer that you trust (NAME+ID+KEY), or a file with one key on each line; repeatable',
      (key: string, before: readonly string[] = []) => [...before, key],
    )
    .option(
      '--server <url>',
      'the service that issued the certificate (https://…), to compare the PDF with its log',
      once(serviceUrl),
    )
    .option(
      '--recorded <file>',
      "the service's answer from /log/certificates/{sha256}, instead of --server",
      once(givenPath),
    )
    .option(
      '--tsa-ca <file>',
      'certificates (PEM) that you trust for time-stamping authorities',
      once(givenPath),
    )
    .option(
      '--xpop <file>',
      'a proof in the form of XLS-41 (XPOP), instead of --bundle or --certificate',
      once(givenPath),
    )
    .option('--json', 'print one JSON object')
    .action(verify);
}

async function verify({ xpop, ...options }: Options): Promise<void> {
  await (xpop === undefined ? verifyBundle(options) : verifyXpop(xpop, options));
}

/** Trusts the well-known publishers of mainnet unless others are named: an XPOP names no network. */
async function verifyXpop(
  path: string,
  { validatorListKey, json, ...others }: Options,
): Promise<void> {
  const [other] = Object.keys(others);
  if (other !== undefined) {
    throw new OperatorError('--xpop can be combined with --validator-list-key and --json only');
  }
  const keys = validatorListKey ?? mainnetKeys;
  const verdict = verdictOnXpop(await readXpopFile(path), keys);
  process.stdout.write(`${json ? printableJson(verdict) : printable(verdict.conclusion)}\n`);
  if (!verdict.proven) process.exitCode = 1;
}

const mainnetKeys = knownPublishers
  .filter(({ network }) => network === 'mainnet')
  .map(({ key }) => key);

async function verifyBundle(options: Options): Promise<void> {
  const {
    file,
    ledger,
    account,
    policy: path,
    validatorListKey = [],
    issuerKey = [],
    server,
    recorded,
    tsaCa,
    json,
    ...rest
  } = options;
  const { logKey: named, ...given } = rest;
  const policy = path === undefined ? null : await readPolicy(path);
  const ofPolicy = policy?.logs ?? [];
  const logKey =
    named === undefined && ofPolicy.length === 0 ? null : [...(named ?? []), ...ofPolicy];
  const roots = tsaCa === undefined ? [] : await readCertificates(tsaCa);
  const issuerKeys = await readIssuerKeys(issuerKey);
  const bundle = await readEvidence(given);
  const fileHash = file === undefined ? null : await hashPath(file);
  const checks = checkBundle(bundle, {
    fileHash,
    accounts: account ?? null,
    ledger: await askServer(ledger, bundle),
    logKeys: logKey,
    policy,
    validatorListKeys: validatorListKey,
    issuerKeys,
    issued: await checkPdf(bundle, { ...given, server, recorded }, logKey ?? []),
    ...(tsaCa !== undefined && { timestamp: await findTimestamp(bundle, roots) }),
    isPrinted: given.certificate !== undefined,
  });
  const verdict = conclude(bundle, checks, { knowsLogKeys: logKey !== null });
  const { file: proven, anchor } = bundle;
  const statements = isStatedByIssuer(checks) ? 'statedByIssuer' : 'claimed';
  const text = json
    ? printableJson({ ...verdict, statements, checks, file: proven, anchor })
    : verificationInWords(checks, verdict);
  process.stdout.write(`${text}\n`);
  if (checks.some(({ outcome }) => outcome === 'failed')) process.exitCode = 1;
}

/** Refuses a repeated option, of which commander would silently use the last value. */
function once<Value>(parse: (text: string) => Value): (text: string, before?: Value) => Value {
  return (text, before) => {
    if (before === undefined) return parse(text);
    throw new InvalidArgumentError('It can be given only once.');
  };
}

function ledgerUrl(text: string): string {
  if (URL.canParse(text) && /^wss?:$/.test(new URL(text).protocol)) return text;
  throw new InvalidArgumentError('It must be a WebSocket URL: ws://… or wss://…');
}

function serviceUrl(text: string): string {
  return parseHttp(text, 'is not the address of a service: give a URL such as https://HOST');
}

function addresses(text: string): readonly string[] {
  const given = commaSeparated(text);
  const wrong = given.find((address) => !isValidClassicAddress(address));
  if (wrong === undefined) return given;
  throw new InvalidArgumentError(`"${wrong}" is not an account address (r…).`);
}

function logKeys(text: string): readonly ReadKey[] {
  return commaSeparated(text).map((vkey) => {
    const key = readLogKey(vkey);
    if (key !== null) return key;
    throw new InvalidArgumentError(`"${vkey}" is not a key of a log (NAME+ID+KEY).`);
  });
}

/** Adds a key to those given before. */
function listKey(text: string, before: readonly string[] = []): readonly string[] {
  if (/^(?:ED|0[23])[A-F0-9]{64}$/.test(text.toUpperCase())) return [...before, text.toUpperCase()];
  throw new InvalidArgumentError(
    'It must be a public key of 66 hexadecimal digits, beginning with ED, 02 or 03.',
  );
}
