import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Test } from 'tap';
import { type Cosigner, createCosigner } from '../../src/transparency-log/cosigning/cosigner.ts';
import type { ReachableWitness } from '../../src/transparency-log/witnesses/witness-client.ts';
import { type ReadKey, readWitnessKey } from '../../src/verifier/log/note-key.ts';
import { CosignedCheckpoints } from '../../src/witness/cosigned-checkpoints.ts';
import { Witness } from '../../src/witness/witness.ts';
import { createWitnessServer } from '../../src/witness/witness-server.ts';
import { newFolder } from './blobs.ts';

/** A key for the witness with this number. */
export function sampleCosigner(n: number): Cosigner {
  return createCosigner(`w${n}.example/w`, Buffer.alloc(32, 100 + n));
}

/** A witness at a URL, as a policy names it. */
export function reachable(n: number, url: string): ReachableWitness {
  const key = readWitnessKey(sampleCosigner(n).vkey);
  if (key === null) throw new Error('no key');
  return { name: `w${n}`, key, url };
}

/** Starts a witness of these logs, with its state in a new folder. */
export async function startWitness(
  t: Pick<Test, 'teardown'>,
  n: number,
  logs: readonly ReadKey[],
): Promise<ReachableWitness> {
  const cosigner = sampleCosigner(n);
  const { key } = reachable(n, '');
  const checkpoints = new CosignedCheckpoints(await newFolder(t), key);
  const witness = new Witness({ cosigner, logs, checkpoints });
  const onError = (error: unknown) => {
    throw error;
  };
  const server = createWitnessServer({ witness, checkpoints, onError });
  return reachable(n, await listen(t, server));
}

/** Starts a server that answers as it likes in the place of a witness. */
export async function startPretender(
  t: Pick<Test, 'teardown'>,
  n: number,
  answer: RequestListener,
): Promise<ReachableWitness> {
  return reachable(n, await listen(t, createServer(answer)));
}

/** The lines of a policy in which this many of the witnesses are a quorum. */
export function policyText(witnesses: readonly ReachableWitness[], least: number): string {
  const lines = witnesses.map(({ name, key, url }) => `witness ${name} ${key.vkey} ${url}\n`);
  const names = witnesses.map(({ name }) => name).join(' ');
  return `${lines.join('')}group g ${least} ${names}\nquorum g\n`;
}

async function listen(t: Pick<Test, 'teardown'>, server: Server): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
