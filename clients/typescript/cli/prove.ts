import { stderr } from 'node:process';
import type { Command } from 'commander';
import { openProgressLine } from '../../../ops/terminal/progress-line.ts';
import type { ProofmarkError } from '../src/errors.ts';
import type { Proofmark } from '../src/proofmark.ts';
import type { FileResult } from '../src/proving/prove-all.ts';
import { exitCodeOf, exitCodes, messageOf, wrongUse } from './ending.ts';
import { filesOf, type GivenFile, readStdin } from './files-of-arguments.ts';
import { readManifest } from './manifest.ts';
import { say, writeResult } from './output.ts';
import { openClient, readText, type ServiceOptions, withService } from './settings.ts';

interface ProveOptions extends ServiceOptions {
  readonly recursive?: boolean;
  readonly manifest?: string;
  readonly journal?: string;
  readonly name?: string;
  /** False for `--no-names`. */
  readonly names: boolean;
  readonly quiet?: boolean;
  readonly json?: boolean;
}

export function addProve(program: Command, signal: AbortSignal): void {
  withService(program.command('prove'))
    .description('prove files by their SHA-256; the files stay where they are')
    .argument('[files...]', 'files, patterns such as "scans/**/*.pdf", or - for standard input')
    .option('-r, --recursive', 'prove the files below folders, too')
    .option('--manifest <file>', 'prove the hashes that sha256sum wrote (- for standard input)')
    .option('--journal <file>', 'record for continuing after a crash; it contains nonces')
    .option('--name <name>', 'name to send for standard input')
    .option('--no-names', 'send no names of files')
    .option('--quiet', 'show no progress')
    .option('--json', 'print one JSON object for each file')
    .action((files: string[], options: ProveOptions) => prove(files, options, signal));
}

async function prove(given: string[], options: ProveOptions, signal: AbortSignal): Promise<void> {
  const { manifest, journal } = options;
  if (given.length > 0 === (manifest !== undefined)) {
    throw wrongUse('name files, or --manifest FILE');
  }
  const client = await openClient(options);
  const counts = { proven: 0, failed: 0, code: exitCodes.done as number };
  let results: AsyncIterable<FileResult>;
  const progress = progressFor(options);
  if (manifest !== undefined) {
    if (journal !== undefined) throw wrongUse('--journal is for files, not for --manifest');
    const text = manifest === '-' ? await textOfStdin() : await readText(manifest);
    const describe = ({ name }: { readonly name: string }) =>
      options.names ? factsOf(baseOf(name)) : {};
    results = client.proveAll(readManifest(text), { describe, signal });
  } else {
    const files = await filesOf(given, { ...options, without: journal ? [journal] : [] });
    results = proveFiles(client, files, options, progress, signal);
  }
  try {
    for await (const result of results) {
      progress.end();
      await tell(result, options);
      if (result.status === 'proven') counts.proven += 1;
      else {
        counts.failed += 1;
        const code = failureCode(result.error);
        if (counts.code !== exitCodes.notProven) counts.code = code;
      }
    }
  } finally {
    progress.end();
  }
  const all = counts.proven + counts.failed;
  if (counts.failed > 0 || (stderr.isTTY && !options.quiet)) {
    say(`${counts.proven} of ${all} ${all === 1 ? 'file' : 'files'} proven.`);
  }
  process.exitCode = counts.code;
}

/** A file that failed makes the code 1, unless the service is the only reason. */
function failureCode(error: ProofmarkError): number {
  const code = exitCodeOf(error);
  return code === exitCodes.later ? code : exitCodes.notProven;
}

type Progress = Pick<ReturnType<typeof openProgressLine>, 'update' | 'say' | 'end'>;

/** Only people at a terminal see progress. */
function progressFor({ quiet }: ProveOptions): Progress {
  return stderr.isTTY && !quiet ? openProgressLine('MB') : { update() {}, say() {}, end() {} };
}

function proveFiles(
  client: Proofmark,
  files: readonly GivenFile[],
  { journal, names }: ProveOptions,
  progress: Progress,
  signal: AbortSignal,
): AsyncIterable<FileResult> {
  const sent = new Map(files.map(({ name, sentName }) => [name, sentName]));
  const isKnown = files.every(({ bytes }) => bytes !== null);
  const total = isKnown ? files.reduce((sum, { bytes }) => sum + (bytes ?? 0), 0) : null;
  let before = 0;
  let current = { name: '', bytes: 0 };
  return client.proveAll(files, {
    ...(journal !== undefined && { journal }),
    signal,
    describe: ({ name }) => (names ? factsOf(sent.get(name) ?? null) : {}),
    onProgress({ name, bytes }) {
      if (name !== current.name) before += current.bytes;
      current = { name, bytes };
      const done = before + bytes;
      const isRead = total !== null && done >= total;
      progress.update('Hashing', toMegabytes(done), total === null ? null : toMegabytes(total));
      if (isRead) progress.say('Waiting for the ledger …');
    },
  });
}

const toMegabytes = (bytes: number) => Math.round(bytes / 10_000) / 100;

const baseOf = (name: string) => name.slice(name.lastIndexOf('/') + 1);

/** The service takes no longer names. Names with control characters are not sent. */
function factsOf(name: string | null): { readonly fileName?: string } {
  if (name === null || name.length > 255 || /\p{Cc}/u.test(name)) return {};
  return { fileName: name };
}

async function textOfStdin(): Promise<string> {
  const parts: Uint8Array[] = [];
  for await (const part of readStdin()) parts.push(part);
  return Buffer.concat(parts).toString('utf8');
}

/** Nonces are never printed: the journal and certificates have them. */
async function tell(result: FileResult, { json, manifest }: ProveOptions): Promise<void> {
  const { name } = result;
  if (result.status === 'proven') {
    const { hash, size, proof } = result;
    const { proofId, txHash, timestamp } = proof;
    const facts = manifest === undefined ? { hash, size } : { hash };
    const value = { status: 'proven', name, ...facts, proofId, txHash, timestamp };
    return writeResult(json, value, `proven  ${timestamp}  ${proofId}  ${name}`);
  }
  const { error } = result;
  if (!json) return say(`not proven: ${name}: ${messageOf(error)}`);
  const { code, message } = error;
  await writeResult(json, { status: 'failed', name, error: { code, message } }, '');
}
