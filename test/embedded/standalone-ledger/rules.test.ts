import { decode, encode } from 'ripple-binary-codec';
import { test } from 'tap';
import { ECDSA, Wallet } from 'xrpl';
import { openAccount, openAccounts, startLedger, submit, TestAccount } from './test-ledger.ts';

test('the NetworkID field is required above 1024 and forbidden otherwise', async (t) => {
  const low = await startLedger(t, { networkId: 1024 });
  const lowAccount = await openAccount(low);
  t.equal(
    await submit(low.connection, lowAccount.sign({ NetworkID: 1024 }).tx_blob),
    'telNETWORK_ID_MAKES_TX_NON_CANONICAL',
  );
  const high = await startLedger(t, { networkId: 1025 });
  const stranger = new TestAccount(Wallet.generate(), 1);
  const ask = (NetworkID?: number) =>
    submit(high.connection, stranger.sign(NetworkID === undefined ? {} : { NetworkID }).tx_blob);
  t.equal(await ask(), 'telREQUIRES_NETWORK_ID');
  t.equal(await ask(7), 'telWRONG_NETWORK');
  t.equal(await ask(1025), 'terNO_ACCOUNT');
});

test('a transaction with terPRE_SEQ is applied when its gap is filled', async (t) => {
  const running = await startLedger(t);
  const account = await openAccount(running);
  const [first, second, third] = [account.sign(), account.sign(), account.sign()];
  t.equal(await submit(running.connection, third.tx_blob), 'terPRE_SEQ');
  t.equal(await submit(running.connection, second.tx_blob), 'terPRE_SEQ');
  t.equal(await submit(running.connection, first.tx_blob), 'tesSUCCESS');
  const { ledgerIndex } = await running.ledger.close();
  const { ledger } = await running.connection.result({
    command: 'ledger',
    ledger_index: ledgerIndex,
    transactions: true,
  });
  t.match(ledger, { transactions: { length: 3 } });
});

test('a transaction refused for its fee is retried on later ledgers', async (t) => {
  const running = await startLedger(t);
  const account = await openAccount(running);
  running.ledger.faults.raiseLoadFactor(10);
  const { tx_blob, hash } = account.sign();
  t.equal(await submit(running.connection, tx_blob), 'telINSUF_FEE_P');
  running.ledger.faults.raiseLoadFactor(1);
  await running.ledger.close();
  await running.ledger.close();
  t.match(await running.connection.result({ command: 'tx', transaction: hash }), {
    validated: true,
  });
});

test('other transaction types and currencies are disabled', async (t) => {
  const running = await startLedger(t);
  const account = await openAccount(running);
  const Account = account.address;
  const trust = {
    TransactionType: 'TrustSet',
    Account,
    LimitAmount: { currency: 'USD', issuer: 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh', value: '1' },
  } as const;
  t.equal(await submit(running.connection, account.signAny(trust).tx_blob), 'temDISABLED');
});

test('reordered fields give the same transaction, unknown or missing fields are refused', async (t) => {
  const running = await startLedger(t);
  const account = await openAccount(running);
  const { tx_blob, hash } = account.sign();
  const fee = '68400000000000000C';
  t.ok(tx_blob.includes(fee));
  const reordered = `${tx_blob.replace(fee, '')}${fee}`;
  const answer = await running.connection.result({ command: 'submit', tx_blob: reordered });
  t.match(answer, { engine_result: 'tesSUCCESS', tx_blob, tx_json: { hash } });
  const common = { Account: account.address, Fee: '12', Sequence: 1, SigningPubKey: '' };
  const missing = encode({ TransactionType: 'Payment', ...common });
  t.match(await submit(running.connection, missing), /Field 'Destination' is required but missing/);
  const further = encode({ TransactionType: 'AccountSet', ...common, TicketCount: 1 });
  t.match(await submit(running.connection, further), /Field 'TicketCount' found in disallowed/);
  t.match(await submit(running.connection, `${tx_blob}${fee}`), /Duplicate field/);
});

test('accepts secp256k1 signatures only if fully canonical', async (t) => {
  const running = await startLedger(t);
  const wallet = Wallet.generate(ECDSA.secp256k1);
  const [funder] = await openAccounts(running);
  if (funder === undefined) throw new Error('no account');
  const pay = {
    TransactionType: 'Payment',
    Account: funder.address,
    Destination: wallet.address,
    Amount: '5000000',
  } as const;
  await submit(running.connection, funder.signAny(pay).tx_blob);
  const { ledgerIndex } = await running.ledger.close();
  const account = new TestAccount(wallet, ledgerIndex);
  const { tx_blob } = account.sign();
  t.match(await submit(running.connection, withHighS(tx_blob)), /Invalid signature/);
  t.equal(await submit(running.connection, tx_blob), 'tesSUCCESS');
});

/**
 * The same signature with S replaced by the group's order minus S. It is valid, but not fully
 * canonical.
 */
function withHighS(blob: string): string {
  const order = BigInt('0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFEBAAEDCE6AF48A03BBFD25E8CD0364141');
  const transaction = decode(blob);
  const signature = Buffer.from(String(transaction.TxnSignature), 'hex');
  // DER: 30, length, then R and S, each as 02, length, and the number.
  const endOfR = 4 + Number(signature[3]);
  const r = signature.subarray(2, endOfR);
  const s = signature.subarray(endOfR + 2).toString('hex');
  const high = (order - BigInt(`0x${s}`)).toString(16).padStart(64, '0');
  const numbers = Buffer.concat([r, Buffer.from(`022100${high}`, 'hex')]);
  const changed = Buffer.concat([Buffer.from([0x30, numbers.length]), numbers]);
  return encode({ ...transaction, TxnSignature: changed.toString('hex').toUpperCase() });
}
