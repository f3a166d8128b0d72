import { setTimeout as delay } from 'node:timers/promises';
import { type Signer, signingAccount } from '../ledger/signer.ts';
import { SignerUnavailable } from '../ledger/signer-unavailable.ts';
import { openRemoteSigners, type RemoteSigners } from './remote-signers.ts';

/** Signers of a signing process that may not have answered yet. */
export interface LateSigners {
  /** A signer that is unavailable until the process has answered, and if it has no such key. */
  of(address: string): Signer;
  close(): void;
}

/**
 * Asks the signing process again and again until it answers.
 * - `onAnswered`: called once then, with the addresses given to `of` of which it has no key.
 */
export function openLateSigners(
  socket: string,
  options: {
    readonly retryMs: number;
    readonly onAnswered: (missing: readonly string[]) => void;
  },
): LateSigners {
  const { retryMs, onAnswered } = options;
  const closing = new AbortController();
  const wanted = new Set<string>();
  let answered: RemoteSigners | null = null;
  const ask = async () => {
    while (!closing.signal.aborted) {
      try {
        const signers = await openRemoteSigners(socket);
        if (closing.signal.aborted) return signers.close();
        answered = signers;
        return onAnswered([...wanted].filter((address) => signers.of(address) === null));
      } catch (error) {
        if (!(error instanceof SignerUnavailable)) throw error;
        await delay(retryMs, undefined, { signal: closing.signal, ref: false }).catch(() => {});
      }
    }
  };
  void ask();
  const find = (address: string): Signer => {
    if (answered === null) throw new SignerUnavailable(`${socket} has not answered yet`);
    const signer = answered.of(address);
    if (signer === null) throw new SignerUnavailable(`${socket} has no key of ${address}`);
    return signer;
  };
  return {
    of(address) {
      wanted.add(address);
      const { accountId } = signingAccount(address, '');
      return {
        address,
        accountId,
        get publicKey() {
          return find(address).publicKey;
        },
        sign: async (messages, cancelled) => find(address).sign(messages, cancelled),
      };
    },
    close() {
      closing.abort();
      answered?.close();
    },
  };
}
