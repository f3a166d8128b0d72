import type { AccountConfig, NetworkConfig } from '../config/networks.ts';
import { networks } from '../domain/network.ts';
import { SigningRate } from '../signing/signing-rate.ts';
import { type ServedAccount, serveSigning } from '../signing/signing-server.ts';
import { signingMetrics } from '../telemetry/signing-metrics.ts';
import { CannotServe } from './cannot-serve.ts';
import { type OpenSigner, openSigners } from './open-signers.ts';
import type { Program } from './program.ts';

/** Starts the role signer: it signs for the processes that may use its socket, and does nothing else. */
export async function startSigner(program: Program): Promise<void> {
  const { config, log, parts, telemetry } = program;
  const { signerSocket, maxFeeDrops, signaturesPerMinute } = config;
  if (signerSocket === null)
    throw new CannotServe('SIGNER_SOCKET: is required with the role signer');
  const open = await openSigners(program);
  const configured = networks.flatMap((network) => config.networks[network] ?? []);
  const accounts = (await Promise.all(configured.map((network) => servedOn(network, open)))).flat();
  const metrics = signingMetrics(telemetry.metrics.registry);
  const serving = await serveSigning({
    socket: signerSocket,
    accounts,
    maxFeeDrops,
    rate: new SigningRate(signaturesPerMinute),
    onSigned: metrics.signed,
    onRefused: (reason) => {
      metrics.refused();
      log.warn({ reason }, 'a request to sign was refused');
    },
    onFailed: (err) => log.warn({ err }, 'a request to sign failed'),
  });
  parts.add('signing', () => serving.stop());
  const addresses = accounts.map(({ signer }) => signer.address);
  log.info({ socket: signerSocket, accounts: addresses }, 'signing');
}

async function servedOn(
  { accounts, checkpointAccount }: NetworkConfig,
  open: OpenSigner,
): Promise<readonly ServedAccount[]> {
  const served = async (account: AccountConfig, purpose: ServedAccount['purpose']) => {
    const signer = await open(account);
    return signer === null ? [] : [{ signer, purpose }];
  };
  const all = await Promise.all([
    ...accounts.map((account) => served(account, 'proofs')),
    ...(checkpointAccount === null ? [] : [served(checkpointAccount, 'checkpoints')]),
  ]);
  return all.flat();
}
