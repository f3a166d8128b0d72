import { networkIds } from '../../../../src/domain/network.ts';
import { createGateway } from '../../../../src/ledger/gateway.ts';
import { superviseServer } from '../../../../src/ledger/server-connection.ts';
import type { ProcessEffects } from './process-effects.ts';
import { SimulatedClient } from './simulated-client.ts';
import type { Surroundings } from './surroundings.ts';

const requestTimeoutMs = 10_000;

/** Gateway of one process to the servers of the simulated network. */
export function gatewayOf(world: Surroundings, effects: ProcessEffects) {
  const { network, time } = world;
  const networkId = networkIds[network.network];
  const connections = network.servers.map((server) =>
    superviseServer({
      url: server.name,
      networkId,
      requestTimeoutMs,
      openSocket: (_url, { timeoutMs }, listeners) =>
        new SimulatedClient(server, { time, effects, registry: network, timeoutMs }, listeners),
    }),
  );
  return createGateway(network.network, connections);
}
