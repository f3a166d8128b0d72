import { type Test, test } from 'tap';
import { Client } from 'xrpl';
import { createStandaloneLedger } from '../../src/embedded/standalone-ledger/create-standalone-ledger.ts';
import { chargeLimitsOf } from '../../src/ledger/request-charge.ts';
import { type Charged, repeatRequest } from '../support/charged-client.ts';
import { noRippled, startRippled } from '../support/real-ledger.ts';

const genesis = 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh';
const wholeLedger = { ledger_index: 'validated', transactions: true, expand: true, binary: true };
/** Each with a limit of requests that is beyond the warning or the drop, if one is expected. */
const requests = [
  { request: { command: 'account_tx', account: genesis }, most: 500 },
  { request: { command: 'submit', tx_blob: '00' }, most: 3_000 },
  { request: { command: 'ledger', ...wholeLedger }, most: 1_000 },
  { request: { command: 'server_info' }, most: 1_000 },
  { request: { command: 'unknown' }, most: 1_000 },
  { request: { command: 'account_tx' }, most: 2_000 },
  { request: { command: 'account_objects' }, most: 2_000 },
  { request: { command: 5 }, most: 6_000 },
  { request: { command: 'submit', api_version: 99 }, most: 6_000 },
] as const;

async function versionOf(t: Test, url: string): Promise<string> {
  const client = new Client(url);
  await client.connect();
  t.teardown(() => client.disconnect());
  const { result } = await client.request({ command: 'server_info' });
  return result.info.build_version;
}

test('the standalone ledger charges requests like rippled', { skip: noRippled }, async (t) => {
  const rippled = await startRippled({ openLedgerLimit: 1_000 });
  t.teardown(() => rippled.stop());
  await rippled.close();
  const limits = chargeLimitsOf(await versionOf(t, rippled.url));
  const ledger = await createStandaloneLedger({ closeMs: 0 });
  t.teardown(() => ledger.stop());
  await ledger.close();

  let lastOctet = 2;
  for (const { request, most } of requests) {
    lastOctet += 1;
    const address = `127.0.0.${lastOctet}`;
    const real = await repeatRequest(rippled.publicUrl, address, request, most);
    ledger.faults.chargeClients(limits);
    const imitated = await repeatRequest(ledger.url, address, request, most);
    t.strictSame(outcomeOf(imitated), outcomeOf(real), JSON.stringify(request));
    // The sums decay while the requests are made.
    const difference = Math.abs(imitated.answers - real.answers) / real.answers;
    t.ok(difference < 0.1, `${imitated.answers} answers, ${real.answers} from rippled`);
  }
});

test('server_info tells rippled administrators from strangers', { skip: noRippled }, async (t) => {
  const rippled = await startRippled({ openLedgerLimit: 1_000 });
  t.teardown(() => rippled.stop());
  const keyAt = async (url: string) => {
    const client = new Client(url);
    await client.connect();
    const { result } = await client.request({ command: 'server_info' });
    await client.disconnect();
    return 'pubkey_validator' in result.info;
  };
  t.equal(await keyAt(rippled.url), true);
  t.equal(await keyAt(rippled.publicUrl), false);
});

function outcomeOf({ code, warned }: Charged) {
  return { code, warned };
}
