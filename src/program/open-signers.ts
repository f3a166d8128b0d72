import { setTimeout as delay } from 'node:timers/promises';
import type { AccountConfig } from '../config/networks.ts';
import { createSeedSigner, type Signer } from '../ledger/signer.ts';
import { SignerUnavailable } from '../ledger/signer-unavailable.ts';
import { openLateSigners } from '../signing/late-signers.ts';
import { openRemoteSigners, type RemoteSigners } from '../signing/remote-signers.ts';
import { CannotServe } from './cannot-serve.ts';
import type { Program } from './program.ts';

/** Time to wait at the start for the signing process: both may start together. */
const signerAnswersMs = 3_000;
const retryMs = 200;
const lateRetryMs = 1_000;

/** Returns the signer of an account; null in a process that never signs. */
export type OpenSigner = (account: AccountConfig) => Promise<Signer | null>;

/**
 * Finds where the keys of this process's accounts are: here, in AWS KMS, or in the signing process.
 * Rejects with `CannotServe` if they cannot be used. A signing process may answer later: until then
 * nothing is signed.
 */
export async function openSigners(
  program: Pick<Program, 'config' | 'parts' | 'draining' | 'log'>,
): Promise<OpenSigner> {
  const { roles, signerSocket } = program.config;
  if (roles.includes('reactor') && signerSocket !== null) return remote(program, signerSocket);
  let kms: ReturnType<typeof openKms> | null = null;
  return async ({ address, seed, kmsKey }) => {
    if (seed !== null) return createSeedSigner(seed.reveal(), address);
    if (kmsKey === null) return null;
    kms ??= openKms(program);
    return (await kms)(kmsKey, address).catch(cannotSign);
  };
}

async function remote(
  { parts, draining, log }: Pick<Program, 'parts' | 'draining' | 'log'>,
  socket: string,
): Promise<OpenSigner> {
  const signers = await untilAnswered(socket, draining);
  if (signers === null) return late({ parts, log }, socket);
  parts.add('signer', () => signers.close());
  return async ({ address }) => {
    const signer = signers.of(address);
    if (signer !== null) return signer;
    throw new CannotServe(noKeyOf(socket, address));
  };
}

/** Signers of a process that is away: calls are answered meanwhile, and `/readyz` names it. */
function late({ parts, log }: Pick<Program, 'parts' | 'log'>, socket: string): OpenSigner {
  log.warn(
    { socket },
    'the signing process does not answer; nothing is signed until it does: start it, or correct SIGNER_SOCKET',
  );
  const signers = openLateSigners(socket, {
    retryMs: lateRetryMs,
    onAnswered: (missing) => {
      log.info({ socket }, 'the signing process answers');
      for (const address of missing) log.error({ address }, noKeyOf(socket, address));
    },
  });
  parts.add('signer', () => signers.close());
  return async ({ address }) => signers.of(address);
}

function noKeyOf(socket: string, address: string): string {
  return `SIGNER_SOCKET: the signer on ${socket} has no key of ${address}: configure the account there, and restart it`;
}

/** Null if the process does not answer. */
async function untilAnswered(socket: string, draining: AbortSignal): Promise<RemoteSigners | null> {
  const until = performance.now() + signerAnswersMs;
  for (;;) {
    try {
      return await openRemoteSigners(socket);
    } catch (error) {
      draining.throwIfAborted();
      if (!(error instanceof SignerUnavailable)) throw error;
      if (performance.now() > until) return null;
      await delay(retryMs);
    }
  }
}

/** Loads the SDK only where it is needed: it is large. */
async function openKms({ parts }: Pick<Program, 'parts'>) {
  const { createKms, openKmsSigner } = await import('../signing/kms-signer.ts');
  const kms = createKms();
  parts.add('AWS KMS', () => kms.destroy());
  return (keyId: string, address: string) => openKmsSigner(kms, keyId, address);
}

function cannotSign(error: unknown): never {
  if (error instanceof SignerUnavailable) {
    throw new CannotServe(`transactions cannot be signed: ${error.message}`, { cause: error });
  }
  throw error;
}
