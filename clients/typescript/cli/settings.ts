import { readFile } from 'node:fs/promises';
import { env } from 'node:process';
import type { Command } from 'commander';
import { Proofmark } from '../src/proofmark.ts';
import { wrongUse } from './ending.ts';

/** Options of each command that calls the service. */
export interface ServiceOptions {
  readonly server?: string;
  readonly keyFile?: string;
  readonly workspace?: string;
}

export function withService(command: Command): Command {
  return command
    .option('--server <url>', 'address of the service (PROOFMARK_SERVER)')
    .option('--key-file <file>', 'file with the API key, unless PROOFMARK_API_KEY has it')
    .option('--workspace <id>', 'workspace, if there are several (PROOFMARK_WORKSPACE)');
}

/** A client for these options. The key never comes from an argument, which other users can see. */
export async function openClient(options: ServiceOptions): Promise<Proofmark> {
  const server = options.server ?? env.PROOFMARK_SERVER;
  const workspace = workspaceOf(options);
  if (!server) throw wrongUse('name the service: set PROOFMARK_SERVER, or use --server URL');
  const apiKey = await readKey(options.keyFile ?? env.PROOFMARK_API_KEY_FILE);
  return new Proofmark({ server, apiKey, ...(workspace && { workspace }) });
}

/** Workspace of the option, else of the environment. */
export function workspaceOf({ workspace }: ServiceOptions): string | undefined {
  return workspace ?? env.PROOFMARK_WORKSPACE;
}

async function readKey(path: string | undefined): Promise<string> {
  const text = path ? await readText(path) : (env.PROOFMARK_API_KEY ?? '');
  const key = text.trim();
  const place = path ? `the file ${path}` : 'PROOFMARK_API_KEY';
  if (key === '') {
    throw wrongUse(
      path
        ? `${place} is empty: it must have an API key`
        : 'no API key: set PROOFMARK_API_KEY, or name a file with --key-file FILE',
    );
  }
  // Messages never quote the key. Headers allow no other characters.
  if (!/^[\x21-\x7e]{1,500}$/.test(key)) throw wrongUse(`${place} has no API key on a single line`);
  return key;
}

/** Text of a file that an option names. */
export async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw wrongUse(`${path} cannot be read (${code})`);
  }
}
