import { test } from 'tap';
import { openDatabase } from '../../../src/event-store/database.ts';
import { dumpDatabase, formsOf } from '../../support/dump-database.ts';
import { startHttpService } from '../../support/http-service.ts';

const host = 'hooks-of-acme.example';
const description = 'where the accounts of Acme are kept';
const json = {
  url: `https://${host}/in?token=T0K3N-of-Acme`,
  events: ['proof.completed'],
  description,
};

test('secrets, URLs and descriptions appear in no table and no log line', async (t) => {
  const service = await startHttpService(t);
  const { key } = await service.openOrganisation();
  const call = async (method: string, path: string, body?: object) => {
    const answer = await service.call(method, path, { key, ...(body && { json: body }) });
    t.equal(answer.status < 300, true, `${method} ${path}: ${answer.status}`);
    return answer.body.data;
  };
  const registered = await call('POST', '/webhooks', json);
  const path = `/webhooks/${registered.id}`;
  const rotated = await call('POST', `${path}/rotate-secret`);
  const other = `https://second.${host}/?key=S3C0ND-of-Acme`;
  await call('PATCH', path, { url: other, status: 'disabled' });
  await call('POST', `${path}/test`);
  const list = await call('GET', '/webhooks');
  t.match(list, [{ url: other, description }], 'all values are stored, encrypted');
  const wrong = { ...json, url: `http://${host}/` };
  t.equal((await service.call('POST', '/webhooks', { key, json: wrong })).status, 400);

  const { pool, close } = openDatabase(service.databaseUrl, { maxConnections: 1 });
  const dump = await dumpDatabase(pool).finally(close);
  t.match(dump, registered.id, 'the dump contains the endpoint');
  const log = service.log.join('\n');
  t.match(log, '/webhooks', 'the log contains the calls');
  const confidential = {
    ...{ secret: registered.secret, rotated: rotated.secret, host, description },
    ...{ token: 'T0K3N-of-Acme', 'other token': 'S3C0ND-of-Acme' },
    'key of signatures': registered.secret.slice('whsec_'.length),
  };
  for (const [name, text] of Object.entries(confidential)) {
    for (const form of formsOf(text)) {
      t.notOk(dump.includes(form), `${name} in the database`);
      t.notOk(log.includes(form), `${name} in the log`);
    }
  }
});
