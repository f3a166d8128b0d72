import type { Command } from 'commander';
import { printable } from '../../../ops/terminal/printable.ts';
import type { VerifyOptions } from '../src/verify/verify.ts';
import { verify } from '../src/verify/verify.ts';
import { exitCodes, wrongUse } from './ending.ts';
import { readStdin } from './files-of-arguments.ts';
import { writeOut, writeResult } from './output.ts';
import { readText } from './settings.ts';

interface Options {
  readonly account?: readonly string[];
  readonly logKey?: readonly string[];
  readonly issuerKey?: readonly string[];
  readonly validatorListKey?: readonly string[];
  readonly policy?: string;
  readonly ledger?: string;
  readonly issuer?: string;
  readonly recorded?: string;
  readonly tsaCa?: string;
  readonly json?: boolean;
}

export function addVerify(program: Command, signal: AbortSignal): void {
  const also = (value: string, before: readonly string[] = []) => [...before, value];
  program
    .command('verify')
    .description('verify a file with its certificate or bundle; asks no server by itself')
    .argument('<file>', 'the proven file, or - for standard input')
    .argument('<evidence>', 'its certificate (PDF) or bundle (JSON)')
    .option('--account <address>', 'account that may have anchored the proof; repeatable', also)
    .option('--log-key <vkey>', "key of the issuer's log (NAME+ID+KEY); repeatable", also)
    .option('--issuer-key <vkey>', 'key of an issuer that you trust; repeatable', also)
    .option('--validator-list-key <key>', 'publisher of validator lists; repeatable', also)
    .option('--policy <file>', 'witnesses that you trust (tlog-policy)')
    .option('--ledger <url>', 'server of the XRP Ledger that you trust (wss://…)')
    .option('--issuer <url>', 'service that issued the certificate, to compare it with its log')
    .option('--recorded <file>', "the service's answer from /log/certificates/{sha256}")
    .option('--tsa-ca <file>', 'certificates (PEM) of time-stamping authorities that you trust')
    .option('--json', 'print one JSON object')
    .action((file: string, evidence: string, options: Options) =>
      verifyFile(file, evidence, options, signal),
    );
}

async function verifyFile(
  file: string,
  evidence: string,
  { json, ...options }: Options,
  signal: AbortSignal,
): Promise<void> {
  const source = file === '-' ? readStdin() : file;
  const known = { ...(await knownTo(options)), signal };
  // A path may begin with a brace, as the text of a bundle does.
  const found = await verify(source, evidence.startsWith('{') ? `./${evidence}` : evidence, known);
  if (json) await writeResult(true, found, '');
  else {
    const lines = found.checks.map(
      ({ name, outcome, detail }) =>
        `${words[outcome]}  ${name.padEnd(20)}  ${printable(detail)}\n`,
    );
    await writeOut(`${lines.join('')}\n${printable(found.conclusion)}\n`);
  }
  process.exitCode = codes[found.result];
}

const words = { ok: 'ok         ', failed: 'FAILED     ', notChecked: 'not checked' } as const;
const codes = {
  proven: exitCodes.done,
  notProvenYet: exitCodes.later,
  notProven: exitCodes.notProven,
} as const;

async function knownTo(options: Omit<Options, 'json'>): Promise<VerifyOptions> {
  const { account, logKey, issuerKey, validatorListKey, policy, ledger, issuer } = options;
  const { recorded, tsaCa } = options;
  return {
    ...(account && { accounts: account }),
    ...(logKey && { logKeys: logKey }),
    ...(issuerKey && { issuerKeys: issuerKey }),
    ...(validatorListKey && { validatorListKeys: validatorListKey }),
    ...(policy && { policy: await readText(policy) }),
    ...(ledger && { ledger: urlOf('--ledger', ledger, /^wss?:$/) }),
    ...(issuer && { server: urlOf('--issuer', issuer, /^https?:$/) }),
    ...(recorded && { recorded: jsonOf(recorded, await readText(recorded)) }),
    ...(tsaCa && { timestampAuthorities: await readText(tsaCa) }),
  };
}

function urlOf(option: string, text: string, protocols: RegExp): string {
  if (URL.canParse(text) && protocols.test(new URL(text).protocol)) return text;
  throw wrongUse(`${option}: "${text}" is no such address`);
}

function jsonOf(path: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw wrongUse(`${path} is not the answer of a service (JSON)`);
  }
}
