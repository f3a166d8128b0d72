import { test } from 'tap';
import { createAccountBalances } from '../../../src/http/console/account/account-balances.ts';
import { inXrp } from '../../../src/http/console/account/account-page.ts';
import type { LedgerAccount } from '../../../src/ledger/contract.ts';
import { signedIn } from '../../support/console-person.ts';
import { startHttpService } from '../../support/http-service.ts';
import { anchoringAccount } from '../../support/scripted-anchoring.ts';

test('the console shows the account on the ledger', async (t) => {
  const ownAccounts = [{ network: 'testnet', address: anchoringAccount }] as const;
  const service = await startHttpService(t, { services: { ledger: { ownAccounts } } });
  const { organisationId } = await service.openOrganisation();
  const member = await signedIn(service, organisationId, { role: 'member' });
  const { text } = await member.get('/console/account');
  t.match(text, `<code>${anchoringAccount}</code>`);
  t.match(text, `https://testnet.xrpl.org/accounts/${anchoringAccount}`);
  t.match(text, 'not known now', 'no ledger is connected');
  const bare = await startHttpService(t);
  const other = await signedIn(bare, (await bare.openOrganisation()).organisationId);
  t.match((await other.get('/console/account')).text, 'No account is known yet');
});

test('a ledger is asked for a balance once in half a minute, and a lost one leaves it unknown', async (t) => {
  let [asked, now] = [0, 0];
  const account = async (): Promise<LedgerAccount> => {
    asked += 1;
    if (asked > 1) throw new Error('the ledger is gone');
    const state = { sequence: 1, regularKey: null, masterKeyDisabled: false, ownedObjects: 0 };
    return { ...state, balanceDrops: 12_500_000n };
  };
  const balances = createAccountBalances([{ network: 'testnet', account }], () => now);
  t.equal(await balances('testnet', 'r1'), 12_500_000n);
  t.equal(await balances('testnet', 'r1'), 12_500_000n);
  t.equal(asked, 1);
  t.equal(await balances('mainnet', 'r1'), null);
  now = 30_001;
  t.equal(await balances('testnet', 'r1'), null);
  t.equal(asked, 2);
  t.strictSame([0n, 1n, 10_000_000n, 12_500_000n].map(inXrp), ['0', '0.000001', '10', '12.5']);
});
