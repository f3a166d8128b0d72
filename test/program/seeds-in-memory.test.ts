import { existsSync } from 'node:fs';
import { open, readFile } from 'node:fs/promises';
import { deriveKeypair } from 'ripple-keypairs';
import { test } from 'tap';
import { hashOf, postProof } from '../support/api-client.ts';
import { startHosted } from '../support/ledger-process.ts';
import { openOrganisation } from '../support/open-organisation.ts';
import { runProgram, startProgram, stop } from '../support/program.ts';

const isReadable = existsSync('/proc/self/mem');

test('a process that never signs has no seed in its memory, only addresses', {
  skip: !isReadable && 'the memory of processes cannot be read here',
}, async (t) => {
  const { env, accounts, checkpointAccount } = await startHosted(t, { closeMs: 250 });
  const organisation = await openOrganisation(env);
  const seeds = [env.XRPL_TESTNET_ACCOUNTS, env.XRPL_TESTNET_CHECKPOINT_ACCOUNT].map(String);
  const addresses = {
    XRPL_TESTNET_ACCOUNTS: accounts.join(),
    XRPL_TESTNET_CHECKPOINT_ACCOUNT: checkpointAccount,
  };
  const api = await startProgram(t, { ...env, ...addresses, ROLES: 'api' }, { alone: true });
  const projector = runProgram(
    t,
    { ...env, ...addresses, ROLES: 'projector', METRICS_PORT: '0', LOG_LEVEL: 'info' },
    { alone: true },
  );
  await projector.said(/"msg":"metrics are served"/, 'stderr');
  const reactor = runProgram(
    t,
    { ...env, ROLES: 'projector,reactor', METRICS_PORT: '0', LOG_LEVEL: 'info' },
    { alone: true },
  );
  const caller = { address: api.address, ...organisation };
  t.equal((await postProof(caller, hashOf('signed elsewhere'))).status, 201);
  for (const seed of seeds) {
    const forms = formsOf(seed);
    t.ok(await memoryHolds(reactor.pid, forms), 'the search finds it where it is');
    t.notOk(await memoryHolds(api.pid, forms), 'role api');
    t.notOk(await memoryHolds(projector.pid, forms), 'role projector');
  }
  for (const run of [api, projector, reactor]) await stop(run);
});

test('the log says which seeds a process does not need', async (t) => {
  const { env } = await startHosted(t, { closeMs: 250 });
  const api = await startProgram(t, { ...env, ROLES: 'api' });
  t.match(
    api.printed().stderr,
    /"variables":\["XRPL_TESTNET_ACCOUNTS","XRPL_TESTNET_CHECKPOINT_ACCOUNT"\].*this process never signs/,
  );
  await stop(api);
});

/** The seed as text in both widths of a string, and its private key as bytes and as hex. */
function formsOf(seed: string): readonly Buffer[] {
  const hex = deriveKeypair(seed).privateKey.slice(2);
  return [
    Buffer.from(seed),
    Buffer.from(seed, 'utf16le'),
    Buffer.from(hex, 'hex'),
    Buffer.from(hex),
    Buffer.from(hex.toLowerCase()),
  ];
}

/** Searches all memory of a process that can be read and written. */
async function memoryHolds(pid: number, forms: readonly Buffer[]): Promise<boolean> {
  const maps = await readFile(`/proc/${pid}/maps`, 'utf8');
  const memory = await open(`/proc/${pid}/mem`);
  const chunk = Buffer.alloc(16 * 1_048_576);
  const overlap = 256;
  try {
    for (const [, from = '', to = ''] of maps.matchAll(/^([0-9a-f]+)-([0-9a-f]+) rw/gm)) {
      const end = BigInt(`0x${to}`);
      for (let at = BigInt(`0x${from}`); at < end; at += BigInt(chunk.length - overlap)) {
        const length = Number(BigInt(Math.min(chunk.length, Number(end - at))));
        const { bytesRead } = await memory
          .read({ buffer: chunk, length, position: at })
          // A part that the process has returned meanwhile, or never used.
          .catch(() => ({ bytesRead: 0 }));
        const read = chunk.subarray(0, bytesRead);
        if (forms.some((form) => read.includes(form))) return true;
      }
    }
    return false;
  } finally {
    await memory.close();
  }
}
