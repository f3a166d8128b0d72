import { ECDSA, Wallet } from 'xrpl';
import {
  genesisAddress,
  genesisSeed,
} from '../../../../src/embedded/standalone-ledger/chain/genesis.ts';
import {
  parseTransaction,
  type Transaction,
} from '../../../../src/embedded/standalone-ledger/codec/parse-transaction.ts';
import { createSeedSigner, type Signer } from '../../../../src/ledger/signer.ts';

export interface SimulatedAccount {
  readonly address: string;
  readonly signer: Signer;
}

/** The anchoring accounts of every run: keys take longer to make than runs. */
export const accounts: readonly SimulatedAccount[] = [1, 2, 3].map((place) => {
  const { seed, address } = Wallet.fromEntropy(Buffer.alloc(16, place));
  return { address, signer: createSeedSigner(seed ?? '') };
});

/** The last of them, which no proof is anchored from. */
export const checkpointAccount = accounts[2] as SimulatedAccount;

/** Payments that fund them on a chain that has just begun. */
export const fundings: readonly Transaction[] = accounts.map(({ address }, place) => {
  const genesis = Wallet.fromSeed(genesisSeed, { algorithm: ECDSA.secp256k1 });
  const payment = {
    TransactionType: 'Payment',
    Account: genesisAddress,
    Destination: address,
    Amount: '1000000000',
    Fee: '10',
    Sequence: 1 + place,
  } as const;
  return parseTransaction(genesis.sign(payment).tx_blob);
});
