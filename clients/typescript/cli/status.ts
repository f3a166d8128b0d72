import type { Command } from 'commander';
import { hashFile } from '../src/hashing/hash-file.ts';
import type { Proofmark } from '../src/proofmark.ts';
import { exitCodes } from './ending.ts';
import { readStdin } from './files-of-arguments.ts';
import { writeResult } from './output.ts';
import { openClient, type ServiceOptions, withService } from './settings.ts';

interface Options extends ServiceOptions {
  readonly json?: boolean;
}

export function addStatus(program: Command, signal: AbortSignal): void {
  withService(program.command('status'))
    .description('tell whether files, hashes or proofs are on the ledger')
    .argument('<what...>', 'ids of proofs, SHA-256 hashes, or files (- for standard input)')
    .option('--json', 'print one JSON object for each')
    .action(async (given: string[], options: Options) => {
      const client = await openClient(options);
      for (const what of given) {
        const found = await statusOf(client, what, signal);
        const { status, timestamp, proofId } = found;
        const text = [status, timestamp, proofId, what].filter((part) => part !== null).join('  ');
        await writeResult(options.json, { what, ...found }, text);
        const code = codes[status];
        if (process.exitCode !== exitCodes.notProven && code > 0) process.exitCode = code;
      }
    });
}

const codes = {
  completed: exitCodes.done,
  pending: exitCodes.later,
  processing: exitCodes.later,
  unknown: exitCodes.notProven,
} as const;

interface Status {
  readonly status: keyof typeof codes;
  readonly proofId: string | null;
  readonly hash: string;
  readonly txHash: string | null;
  readonly timestamp: string | null;
}

async function statusOf(client: Proofmark, what: string, signal: AbortSignal): Promise<Status> {
  if (/^[0-7][0-9A-HJKMNP-TV-Z]{25}$/.test(what)) {
    const params = { path: { proofId: what } };
    const { body } = await client.api.GET('/proofs/{proofId}', { params, signal });
    const { blockchainStatus: status, proofId, txHash, timestamp, fileHash } = body.data;
    return { status, proofId, hash: fileHash, txHash, timestamp };
  }
  const hash = await hashOf(what, signal);
  const [known] = await client.lookUp([hash], { signal });
  const { blockchainStatus, proofId = null, txHash = null, timestamp = null } = known ?? {};
  return { status: blockchainStatus ?? 'unknown', proofId, hash, txHash, timestamp };
}

async function hashOf(what: string, signal: AbortSignal): Promise<string> {
  if (/^[0-9a-fA-F]{64}$/.test(what)) return what.toLowerCase();
  return (await hashFile(what === '-' ? readStdin() : what, { signal })).hash;
}
