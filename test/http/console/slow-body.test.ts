import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { test } from 'tap';
import { removePerson } from '../../../src/commands/remove-person.ts';
import { presentPeople } from '../../../src/domain/person/state.ts';
import { consoleSite } from '../../../src/http/console/console-site.ts';
import { loadPeople } from '../../../src/loading/load-people.ts';
import { signedIn } from '../../support/console-person.ts';
import { joinHttpService, operator } from '../../support/http-service.ts';
import { until } from '../../support/until.ts';

test('a person who is removed while the body arrives changes nothing', async (t) => {
  const service = await joinHttpService(t);
  const { organisationId, workspaceId } = await service.openOrganisation();
  await signedIn(service, organisationId);
  const leaver = await signedIn(service, organisationId, { email: 'leaver@example.org' });
  const { site, cookie, formToken, personId } = leaver;
  const { origin } = site;

  /** Sends the head, and resolves once the service has let the person in and asks for the body. */
  async function begin(path: string, type: string) {
    const headers = { cookie, origin, expect: '100-continue', 'x-console-token': formToken };
    const method = 'POST';
    const sent = request(`${site.url}${path}`, {
      method,
      headers: { ...headers, 'content-type': type },
    });
    const answered = once(sent, 'response') as Promise<[IncomingMessage]>;
    sent.flushHeaders();
    const first = await Promise.race([once(sent, 'continue'), answered]);
    t.strictSame(first, [], `${path} asks for the body`);
    return async (body: string) => {
      sent.end(body);
      const [response] = await answered;
      return { status: response.statusCode, text: await text(response) };
    };
  }

  const endForm = await begin('/console/people', 'application/x-www-form-urlencoded');
  const endOrder = await begin('/console/prove/hashes', 'application/json');
  const boundary = 'part-of-an-upload';
  const endUpload = await begin('/console/prove/file', `multipart/form-data; boundary=${boundary}`);
  await removePerson(service.store, { organisationId, personId }, operator);
  const before = await service.store.lastPositionOf(organisationId);
  const fields = { email: 'friend@example.org', role: 'owner', token: formToken };
  const form = await endForm(`${new URLSearchParams(fields)}`);
  t.match(form, { status: 401, text: /id="sign-in"/ });
  const items = [{ hash: 'ab'.repeat(32) }];
  const order = await endOrder(JSON.stringify({ workspace: workspaceId, items }));
  t.match(order, { status: 401, text: /session has ended/ });
  const part = (disposition: string, text: string) =>
    `--${boundary}\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n${text}\r\n`;
  const upload = await endUpload(
    `${part('name="workspace"', workspaceId)}${part('name="file"; filename="a.txt"', 'content')}--${boundary}--\r\n`,
  );
  t.match(upload, { status: 401, text: /session has ended/ });
  t.equal(await service.store.lastPositionOf(organisationId), before, 'nothing is recorded');
  const people = presentPeople(await loadPeople(service.store, organisationId));
  t.strictSame(
    people.map(({ email }) => email),
    ['ada@example.org'],
  );
});

test('a client that leaves before the end of its body is no failure of the service', async (t) => {
  const service = await joinHttpService(t);
  const { origin, url } = consoleSite(service.url);
  const { port, hostname } = new URL(url);
  const types = { call: 'application/json', form: 'application/x-www-form-urlencoded' };
  const paths = { call: '/console/sign-in/options', form: '/console/sign-out' };
  for (const kind of ['call', 'form'] as const) {
    const socket = connect(Number(port), hostname);
    socket.write(
      `POST ${paths[kind]} HTTP/1.1\r\nHost: ${new URL(url).host}\r\nOrigin: ${origin}\r\n` +
        `Content-Type: ${types[kind]}\r\nContent-Length: 100\r\nExpect: 100-continue\r\n\r\n`,
    );
    t.match(`${(await once(socket, 'data'))[0]}`, 'HTTP/1.1 100 ', 'the body is being received');
    socket.end('{');
    const lines = await until('the request is over', async () => {
      const own = service.log.filter((line) => line.includes(`"route":"${paths[kind]}"`));
      return own.length > 0 && own;
    });
    t.match(
      lines.map((line) => JSON.parse(line)),
      [{ status: 400 }],
    );
  }
  t.notOk(service.log.some((line) => line.includes('a part of the service is unavailable')));
});
