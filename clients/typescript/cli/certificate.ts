import { open, rename, rm } from 'node:fs/promises';
import { stdout } from 'node:process';
import type { Command } from 'commander';
import { exitCodes, wrongUse } from './ending.ts';
import { writeOut, writeResult } from './output.ts';
import { openClient, type ServiceOptions, withService } from './settings.ts';

interface Options extends ServiceOptions {
  readonly out?: string;
  readonly bundle?: boolean;
  readonly share?: boolean;
  readonly force?: boolean;
  readonly json?: boolean;
}

export function addCertificate(program: Command, signal: AbortSignal): void {
  withService(program.command('certificate'))
    .description('save certificates; waits until they are issued')
    .argument('<proofs...>', 'ids of proofs')
    .option('-o, --out <file>', 'file to write, or - for standard output; by default ID.pdf')
    .option('--bundle', 'save the proof bundle (JSON) instead of the PDF')
    .option('--share', 'with --bundle: leave the confidential nonce out')
    .option('--force', 'replace an existing file')
    .option('--json', 'print one JSON object for each file')
    .action((proofs: string[], options: Options) => save(proofs, options, signal));
}

async function save(proofs: string[], options: Options, signal: AbortSignal): Promise<void> {
  const { out, bundle, share, force = false, json } = options;
  if (out !== undefined && proofs.length > 1) throw wrongUse('--out takes the file of one proof');
  if (share && !bundle) throw wrongUse('--share is for --bundle: certificates contain the nonce');
  if (out === '-' && json)
    throw wrongUse('--json and --out - would be mixed: use only one of them');
  if (out === '-' && !bundle && stdout.isTTY) {
    throw wrongUse('a PDF would disturb the terminal: name a file with --out FILE');
  }
  const wrong = proofs.find((id) => !/^[0-9A-Z]{26}$/.test(id));
  if (wrong !== undefined) throw wrongUse(`"${wrong}" is no id of a proof (26 letters and digits)`);
  const client = await openClient(options);
  for (const proofId of proofs) {
    const content = bundle
      ? await client.bundle(proofId, { signal, ...(share && { share }) })
      : await client.certificate(proofId, { signal });
    if (out === '-') {
      await writeOut(content);
      continue;
    }
    const path = out ?? `${proofId}.${bundle ? 'json' : 'pdf'}`;
    await writeWhole(path, content, force);
    await writeResult(json, { proofId, path }, path);
  }
  process.exitCode = exitCodes.done;
}

/** Renamed into place when complete, so an existing file is never partial. Only its owner may read it. */
async function writeWhole(path: string, content: string | Uint8Array, force: boolean) {
  const partial = `${path}.${process.pid}.partial`;
  // Reserves the name. Only a file that was not there before is removed again.
  const isNew = await open(path, 'wx', 0o600).then(
    (file) => file.close().then(() => true),
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'EEXIST' && force) return false;
      throw refusal(path, error);
    },
  );
  try {
    const file = await open(partial, 'wx', 0o600);
    try {
      await file.writeFile(content);
    } finally {
      await file.close();
    }
    await rename(partial, path);
  } catch (error) {
    // What cannot be removed either is left: the first error says why.
    await rm(partial, { force: true }).catch(() => {});
    if (isNew) await rm(path, { force: true }).catch(() => {});
    throw refusal(path, error as NodeJS.ErrnoException);
  }
}

function refusal(path: string, { code }: NodeJS.ErrnoException): Error {
  if (code === 'EEXIST') return wrongUse(`${path} exists: name another file, or use --force`);
  return wrongUse(`${path} cannot be written (${code})`);
}
