import { type Command, InvalidArgumentError } from 'commander';
import { isValidClassicAddress } from 'xrpl';
import { checkBundle } from '../../src/certificates/check-bundle.ts';
import {
  type NoteVerifier,
  parseVerifierKey,
} from '../../src/transparency-log/checkpoint/note-key.ts';
import { commaSeparated } from '../arguments.ts';
import { askLedger } from '../ask-ledger.ts';
import { givenPath } from '../given-path.ts';
import { hashFile } from '../hash-file.ts';
import { printableJson } from '../printable.ts';
import { readEvidence } from '../read-evidence.ts';
import { conclude, verificationInWords } from '../verification-in-words.ts';

interface Options {
  readonly bundle?: string;
  readonly certificate?: string;
  readonly file?: string;
  readonly ledger?: string;
  readonly account?: readonly string[];
  readonly logKey?: readonly NoteVerifier[];
  readonly json?: boolean;
}

/** Adds `verify`, which needs neither configuration nor database: anybody may run it. */
export function addVerifyCommand(program: Command): void {
  program
    .command('verify')
    .description('check a proof bundle or certificate, offline or against the ledger')
    .option('--bundle <file>', 'the proof bundle (JSON)', once(givenPath))
    .option(
      '--certificate <file>',
      'or the certificate (PDF), to which the bundle is attached',
      once(givenPath),
    )
    .option('--file <document>', 'the file that is proven', once(givenPath))
    .option(
      '--ledger <url>',
      'a server of the XRP Ledger that you trust (wss://…)',
      once(ledgerUrl),
    )
    .option(
      '--account <addresses>',
      'who may have anchored it, separated by commas',
      once(addresses),
    )
    .option(
      '--log-key <vkeys>',
      'the keys that you know of the log, of all epochs, separated by commas',
      once(logKeys),
    )
    .option('--json', 'print one JSON object')
    .action(verify);
}

async function verify({ file, ledger, account, logKey, json, ...given }: Options): Promise<void> {
  const bundle = await readEvidence(given);
  const fileHash = file === undefined ? null : await hashFile(file);
  const checks = checkBundle(bundle, {
    fileHash,
    accounts: account ?? null,
    ledger: await askLedger(ledger, bundle),
    logKeys: logKey ?? null,
    isPrinted: given.certificate !== undefined,
  });
  const verdict = conclude(bundle, checks, { knowsLogKeys: logKey !== undefined });
  const { file: proven, anchor } = bundle;
  const text = json
    ? printableJson({ ...verdict, checks, file: proven, anchor })
    : verificationInWords(checks, verdict);
  process.stdout.write(`${text}\n`);
  if (checks.some(({ outcome }) => outcome === 'failed')) process.exitCode = 1;
}

/** Of an option given twice the last one would count, and the first one seem to. */
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

function addresses(text: string): readonly string[] {
  const given = commaSeparated(text);
  const wrong = given.find((address) => !isValidClassicAddress(address));
  if (wrong === undefined) return given;
  throw new InvalidArgumentError(`"${wrong}" is no address of an account (r…).`);
}

function logKeys(text: string): readonly NoteVerifier[] {
  return commaSeparated(text).map((vkey) => {
    const key = parseVerifierKey(vkey);
    if (key !== null) return key;
    throw new InvalidArgumentError(`"${vkey}" is no key of a log (NAME+HASH+KEY).`);
  });
}
