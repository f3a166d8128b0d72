import { existsSync } from 'node:fs';
import { chmod, open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { deriveKeypair } from 'ripple-keypairs';
import { type Test, test } from 'tap';
import { readLedgerProofs } from '../../ops/crash/ledger-history.ts';
import { fundAccounts } from '../../src/embedded/fund-accounts.ts';
import { dataOf, getProof, hashOf, prove, queueProof } from '../support/api-client.ts';
import { newFolder } from '../support/blobs.ts';
import { startKms } from '../support/kms.ts';
import { startHosted } from '../support/ledger-process.ts';
import { openOrganisation } from '../support/open-organisation.ts';
import { runProgram, startProgram, stop } from '../support/program.ts';
import type { Run } from '../support/run.ts';
import { until } from '../support/until.ts';

const isReadable = existsSync('/proc/self/mem');

test('the seeds are in the memory of the signer alone', {
  skip: !isReadable && 'the memory of processes cannot be read here',
}, async (t) => {
  const { env, accounts, checkpointAccount, ledger } = await startHosted(t, { closeMs: 250 });
  const organisation = await openOrganisation(env);
  const { XRPL_TESTNET_ACCOUNTS, XRPL_TESTNET_CHECKPOINT_ACCOUNT } = env;
  const keys = {
    XRPL_TESTNET_ACCOUNTS: String(XRPL_TESTNET_ACCOUNTS),
    XRPL_TESTNET_CHECKPOINT_ACCOUNT: String(XRPL_TESTNET_CHECKPOINT_ACCOUNT),
  };
  const addresses = {
    XRPL_TESTNET_ACCOUNTS: accounts.join(),
    XRPL_TESTNET_CHECKPOINT_ACCOUNT: checkpointAccount,
  };
  const folder = await newFolder(t);
  await chmod(folder, 0o700);
  const SIGNER_SOCKET = join(folder, 'signer.sock');
  const signerEnv = { ...keys, SIGNER_SOCKET, ROLES: 'signer' };
  const worker = await startAlone(
    t,
    { ...env, ...addresses, SIGNER_SOCKET, ROLES: 'projector,reactor' },
    /anchoring: the signer of the anchoring account does not answer/,
  );
  const signer = await startAlone(t, signerEnv);
  await until('it is ready once the signer answers', async () => (await worker.readiness()) === '');
  const api = await startProgram(t, { ...env, ...addresses, ROLES: 'api' }, { alone: true });
  const caller = { address: api.address, ...organisation };
  await prove(caller, hashOf('signed elsewhere'));
  const seeds = Object.values(keys);
  t.strictSame(await heldIn(signer.run.pid, seeds), seeds, 'the search finds them where they are');
  t.strictSame(await heldIn(worker.run.pid, seeds), [], 'roles projector and reactor');
  t.strictSame(await heldIn(api.pid, seeds), [], 'role api');

  // Nothing is lost while the signer is away.
  signer.run.kill('SIGKILL');
  await signer.run.ended;
  const { proofId } = dataOf(await queueProof(caller, hashOf('while it is away')));
  await until('the pause is shown', async () => /signer/.test(await worker.readiness()));
  const again = await startAlone(t, signerEnv);
  await until('the proof is anchored', async () => {
    return dataOf(await getProof(caller, proofId)).blockchainStatus === 'completed';
  });
  await until('it is ready again', async () => (await worker.readiness()) === '');
  t.equal((await readLedgerProofs(ledger.url, accounts)).length, 2);
  for (const run of [api, worker.run, again.run]) t.match(await stop(run), { code: 0 });
});

test('with keys in AWS KMS no process has a seed', async (t) => {
  const { env, ledger } = await startHosted(t, { closeMs: 250 });
  const organisation = await openOrganisation(env);
  const kms = await startKms(t);
  await fundAccounts({ url: ledger.url, addresses: [kms.address], xrp: 1_000 });
  const { XRPL_TESTNET_CHECKPOINT_ACCOUNT: _, ...rest } = env;
  const program = await startProgram(t, {
    ...{ ...rest, ...kms.environment },
    XRPL_TESTNET_ACCOUNTS: `${kms.address}:kms:${kms.keyId}`,
  });
  const caller = { address: program.address, ...organisation };
  await prove(caller, hashOf('signed in KMS'));
  t.match(await stop(program), { code: 0, stderr: '' });
  t.equal((await readLedgerProofs(ledger.url, [kms.address])).length, 1);
});

test('a process says plainly what it cannot sign with', async (t) => {
  const { env, accounts } = await startHosted(t, { closeMs: 250 });
  const api = await startProgram(t, { ...env, ROLES: 'api' });
  t.match(
    api.printed().stderr,
    /"variables":\["XRPL_TESTNET_ACCOUNTS","XRPL_TESTNET_CHECKPOINT_ACCOUNT"\].*this process never signs/,
  );
  await stop(api);
  const folder = await newFolder(t);
  await chmod(folder, 0o700);
  const SIGNER_SOCKET = join(folder, 'signer.sock');
  const foreign = await startHosted(t, { closeMs: 250 });
  const signer = await startAlone(t, {
    XRPL_TESTNET_ACCOUNTS: String(foreign.env.XRPL_TESTNET_ACCOUNTS),
    ...{ SIGNER_SOCKET, ROLES: 'signer' },
  });
  const reactor = runProgram(t, { ...env, SIGNER_SOCKET });
  const { code, stderr } = await reactor.ended;
  t.equal(code, 1);
  t.match(stderr, `SIGNER_SOCKET: the signer on ${SIGNER_SOCKET} has no key of ${accounts[0]}`);
  await chmod(folder, 0o755);
  const open = runProgram(t, {
    XRPL_TESTNET_ACCOUNTS: String(env.XRPL_TESTNET_ACCOUNTS),
    ...{ SIGNER_SOCKET, ROLES: 'signer' },
  });
  t.match(await open.ended, { code: 1, stderr: /SIGNER_SOCKET: others can change or enter/ });
  await stop(signer.run);
});

/**
 * Starts a process without the API, in a process in which nothing ran before. Waits until it is ready,
 * or until it says that something is missing.
 */
async function startAlone(t: Test, env: Readonly<Record<string, string>>, missing = /^$/) {
  const settings = { METRICS_PORT: '0', LOG_LEVEL: 'info' };
  const run: Run = runProgram(t, { ...env, ...settings }, { alone: true });
  const [, port] = await run.said(/"port":(\d+),"msg":"metrics are served"/, 'stderr');
  /** Empty if the process is ready. */
  const readiness = async () => {
    const answer = await fetch(`http://127.0.0.1:${port}/readyz`);
    return answer.ok ? '' : await answer.text();
  };
  await until(`it is ready up to ${missing}`, async () => missing.test(await readiness()));
  return { run, readiness };
}

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

/** Seeds that the memory of a process holds. Searches all memory that can be read and written. */
async function heldIn(pid: number, seeds: readonly string[]): Promise<readonly string[]> {
  const sought = new Map(seeds.map((seed) => [seed, formsOf(seed)]));
  const maps = await readFile(`/proc/${pid}/maps`, 'utf8');
  const memory = await open(`/proc/${pid}/mem`);
  const chunk = Buffer.alloc(16 * 1_048_576);
  const overlap = 256;
  try {
    for (const [, from = '', to = ''] of maps.matchAll(/^([0-9a-f]+)-([0-9a-f]+) rw/gm)) {
      const end = BigInt(`0x${to}`);
      for (let at = BigInt(`0x${from}`); at < end; at += BigInt(chunk.length - overlap)) {
        const length = Math.min(chunk.length, Number(end - at));
        const { bytesRead } = await memory
          .read({ buffer: chunk, length, position: at })
          // A part that the process has returned meanwhile, or never used.
          .catch(() => ({ bytesRead: 0 }));
        const read = chunk.subarray(0, bytesRead);
        for (const [seed, forms] of sought) {
          if (forms.some((form) => read.includes(form))) sought.delete(seed);
        }
        if (sought.size === 0) return seeds;
      }
    }
    return seeds.filter((seed) => !sought.has(seed));
  } finally {
    await memory.close();
  }
}
