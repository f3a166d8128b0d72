import type { Test } from 'tap';
import { type AnnouncingRelay, startAnnouncingRelay } from './announcing-relay.ts';

/** A server with Clio's `server_info`, in front of a rippled that answers everything else. */
export function startClio(t: Pick<Test, 'teardown'>, behind: string): Promise<AnnouncingRelay> {
  return startAnnouncingRelay(
    t,
    behind,
    () => false,
    (message) => {
      const { result, ...answer } = JSON.parse(message);
      if (result?.info === undefined) return message;
      return JSON.stringify({ ...answer, result: { ...result, info: clioInfo(result.info) } });
    },
  );
}

/** Answer of Clio, with the members that it takes from its rippled's answer (Clio 2.7.0). */
function clioInfo(info: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return {
    complete_ledgers: info.complete_ledgers,
    load_factor: info.load_factor,
    ...{ clio_version: '2.7.0', libxrpl_version: '3.0.0', rippled_version: info.build_version },
    validated_ledger: info.validated_ledger,
    network_id: info.network_id,
  };
}
