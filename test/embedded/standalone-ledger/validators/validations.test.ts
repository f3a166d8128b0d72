import { mkdtempSync, rmSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { verify } from 'ripple-keypairs';
import { type Test, test } from 'tap';
import { createStandaloneLedger } from '../../../../src/embedded/standalone-ledger/create-standalone-ledger.ts';
import { until } from '../../../support/until.ts';
import { isRecord, type Json } from '../compare-answers.ts';
import { connect, type RawConnection } from '../raw-connection.ts';
import { sample } from '../samples.ts';
import { openAccount, startLedger, submit } from '../test-ledger.ts';

const recorded = sample('validators.json');

/** Names and types of the fields, which must be those of a real server. */
function formOf(message: unknown): Json {
  if (!isRecord(message)) throw new Error('no message');
  return Object.fromEntries(
    Object.entries(message)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, value]) => [
        name,
        isRecord(value) ? formOf(value) : Array.isArray(value) ? 'array' : typeof value,
      ]),
  );
}

/** The serialized validation without its signature, which the signature covers. */
function signedBytes(data: string, signature: string): string {
  const length = (signature.length / 2).toString(16).padStart(2, '0').toUpperCase();
  const field = `76${length}${signature}`;
  return `${Buffer.from('VAL\0').toString('hex')}${data.replace(field, '')}`;
}

function isSigned({ data, signature }: Json): boolean {
  const key = /7321([0-9A-F]{66})76/.exec(String(data))?.[1] ?? '';
  try {
    return verify(signedBytes(String(data), String(signature)), String(signature), key);
  } catch {
    return false;
  }
}

async function validationsOf(connection: RawConnection): Promise<Json[]> {
  const pushed = await connection.takePushed();
  return pushed.filter(({ type }) => type === 'validationReceived');
}

async function subscribed(t: Test, options: Parameters<typeof startLedger>[1] = {}) {
  const running = await startLedger(t, options);
  await running.connection.ask({ command: 'subscribe', streams: ['validations', 'manifests'] });
  return running;
}

test('four validators sign each ledger, in the form of a real server', async (t) => {
  const running = await subscribed(t);
  const { ledger, connection } = running;
  const account = await openAccount(running);
  await submit(connection, account.sign().tx_blob);
  await connection.takePushed();
  const { ledgerIndex, ledgerHash } = await ledger.close();
  const validations = await validationsOf(connection);
  t.equal(validations.length, 4);
  t.equal(new Set(validations.map(({ master_key }) => master_key)).size, 4);
  for (const validation of validations) {
    t.strictSame(formOf(validation), formOf(recorded.validation));
    t.match(validation, { ledger_hash: ledgerHash, ledger_index: String(ledgerIndex), full: true });
    t.ok(isSigned(validation), 'its signature is valid');
    t.notMatch(String(validation.data), /5017(00){32}/, 'the set of transactions is not empty');
  }
});

test('the message names the index as a number in version 2', async (t) => {
  const { ledger, connection } = await startLedger(t);
  await connection.ask({ command: 'subscribe', streams: ['validations'], api_version: 2 });
  const { ledgerIndex } = await ledger.close();
  const [validation] = await validationsOf(connection);
  t.equal(validation?.ledger_index, ledgerIndex);
});

test('validations of a voting ledger carry amendments after the signature', async (t) => {
  const { ledger, connection } = await subscribed(t);
  while ((await ledger.close()).ledgerIndex < 254) await connection.takePushed();
  await connection.takePushed();
  await ledger.close();
  const validations = await validationsOf(connection);
  t.equal(validations.length, 4);
  for (const validation of validations) {
    t.strictSame(formOf(validation), formOf(recorded.votingValidation));
    t.match(String(validation.data), /76[0-9A-F]{140,148}031320/);
    t.ok(isSigned(validation));
  }
  await ledger.close();
  const [flag] = await validationsOf(connection);
  t.strictSame(formOf(flag), formOf(recorded.validation), 'the flag ledger has ordinary ones');
});

test('nothing is sent without a subscription', async (t) => {
  const { ledger, connection } = await startLedger(t);
  await connection.ask({ command: 'subscribe', streams: ['ledger'] });
  await ledger.close();
  t.strictSame(await validationsOf(connection), []);
});

test('validators can miss ledgers, be late, and lie', async (t) => {
  const { ledger, connection } = await subscribed(t);
  ledger.faults.missValidations([0, 2]);
  await ledger.close();
  t.equal((await validationsOf(connection)).length, 2);
  await ledger.close();
  t.equal((await validationsOf(connection)).length, 4);

  ledger.faults.delayValidations(1_000);
  await ledger.close();
  t.equal((await validationsOf(connection)).length, 0);
  const late: Json[] = [];
  await until('the late validations', async () => {
    late.push(...(await validationsOf(connection)));
    return late.length >= 4;
  });
  t.equal(late.length, 4);
  ledger.faults.delayValidations(0);

  const lies = [
    ['otherLedger', ({ ledger_hash }: Json, hash: string) => ledger_hash !== hash],
    ['badSignature', (validation: Json) => !isSigned(validation)],
    ['partial', ({ full }: Json) => full === false],
  ] as const;
  for (const [lie, isFalse] of lies) {
    ledger.faults.lieAsValidator(1, lie);
    const { ledgerHash } = await ledger.close();
    const validations = await validationsOf(connection);
    t.strictSame(
      validations.map((each) => isFalse(each, ledgerHash)),
      [false, true, false, false],
      lie,
    );
  }
  ledger.faults.lieAsValidator(1, null);
  await ledger.close();
  t.ok((await validationsOf(connection)).every(isSigned));
});

test('a validator can change its signing key', async (t) => {
  const { ledger, connection } = await subscribed(t);
  await ledger.close();
  const [before] = await validationsOf(connection);
  const list = async () => (await (await fetch(ledger.validatorList.url)).json()) as Json;
  const published = await list();
  t.strictSame(formOf(published), formOf(recorded.validatorList));
  t.equal(published.public_key, ledger.validatorList.publisherKey);

  await ledger.faults.rotateValidatorKey(0);
  const [manifest] = await connection.takePushed();
  t.strictSame(formOf(manifest), formOf(recorded.manifest));
  t.match(manifest, { master_key: before?.master_key, seq: 2 });
  t.strictSame(await list(), published, 'the list stays');
  await ledger.close();
  const [after] = await validationsOf(connection);
  t.match(after, { master_key: before?.master_key, validation_public_key: manifest?.signing_key });
  t.not(after?.validation_public_key, before?.validation_public_key);
  t.ok(after && isSigned(after));

  await ledger.faults.publishList();
  const blob = String((await list()).blob);
  t.match(JSON.parse(Buffer.from(blob, 'base64').toString()), { sequence: 2 });
});

test('the manifest command answers as a real server', async (t) => {
  const { ledger, connection } = await subscribed(t);
  await ledger.close();
  const [validation] = await validationsOf(connection);
  const ask = (public_key: unknown) => connection.ask({ command: 'manifest', public_key });
  for (const key of [validation?.master_key, validation?.validation_public_key]) {
    const { result } = await ask(key);
    t.strictSame(formOf(result), formOf(recorded.manifestByMaster));
    t.match(result, { details: { master_key: validation?.master_key, seq: 1 }, requested: key });
  }
  t.strictSame((await ask('nHUqeJAGd1B667JCoM8m8GCcAzUxExnu5SgF5myF66HiwcdaYMsd')).result, {
    ...(isRecord(recorded.manifestUnknown) ? recorded.manifestUnknown : {}),
  });
  t.match(await ask(undefined), { error: 'invalidParams' });
  t.match(await ask('rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh'), { error: 'invalidParams' });
});

test('keys are kept with the history, and made for a history of an earlier version', async (t) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'standalone-ledger-'));
  t.teardown(() => rmSync(dataDir, { recursive: true, force: true }));
  const start = () => createStandaloneLedger({ closeMs: 0, dataDir });
  const first = await start();
  const key = first.validatorList.publisherKey;
  await first.faults.rotateValidatorKey(3);
  await first.stop();
  const file = join(dataDir, 'validators.json');
  t.equal((await stat(file)).mode & 0o777, 0o600);
  const second = await start();
  t.equal(second.validatorList.publisherKey, key);
  const connection = await connect(second.url);
  await connection.ask({ command: 'subscribe', streams: ['validations'] });
  await second.close();
  t.equal((await validationsOf(connection)).length, 4);
  connection.close();
  await second.stop();
  rmSync(file);
  const third = await start();
  t.not(third.validatorList.publisherKey, key);
  await third.stop();
});

test('other requests over HTTP are answered as by a WebSocket server', async (t) => {
  const { ledger } = await startLedger(t);
  const address = ledger.url.replace('ws:', 'http:');
  t.equal((await fetch(address)).status, 426);
  t.equal((await fetch(ledger.validatorList.url, { method: 'POST' })).status, 426);
});
