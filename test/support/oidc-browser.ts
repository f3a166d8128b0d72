import type { ConsoleSite } from '../../src/http/console/console-site.ts';

/** A browser with cookies of its own, which signs in at the provider as pages of the console do. */
export function oidcBrowser(site: ConsoleSite) {
  /** Cookies by origin and name. */
  const jar = new Map<string, Map<string, string>>();
  let there = '';

  /** Calls an address with the cookies of its origin, and keeps those of the answer. */
  async function call(address: string, init: RequestInit = {}) {
    const { host } = new URL(address);
    const cookies = jar.get(host) ?? new Map<string, string>();
    jar.set(host, cookies);
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = { ...init.headers, cookie };
    const response = await fetch(address, { ...init, headers, redirect: 'manual' });
    for (const line of response.headers.getSetCookie()) {
      const [name = '', value = ''] = (line.split(';')[0] ?? '').split(/=(.*)/s);
      cookies.set(name, value);
    }
    const text = await response.text();
    const session = cookieIn(response.headers, site.cookie);
    return { status: response.status, headers: response.headers, text, session };
  }

  const post = (path: string, body: object, headers: Record<string, string> = {}) =>
    call(`${site.url}${path}`, {
      method: 'POST',
      headers: { origin: site.origin, 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });

  async function begin(invitation: string | null = null) {
    const answer = await post('/console/oidc/begin', { invitation });
    if (answer.status === 200) there = JSON.parse(answer.text).url;
    return answer;
  }

  /** Follows the provider to the address at which it leads back. */
  async function comeBack(): Promise<string> {
    let address = there;
    for (let steps = 0; steps < 10; steps += 1) {
      if (address.startsWith(`${site.url}/`)) return address;
      const { headers, text, status } = await call(address);
      const location = headers.get('location');
      if (location === null) throw new Error(`the provider answers ${status}: ${text}`);
      address = new URL(location, address).href;
    }
    throw new Error('the provider does not lead back');
  }

  const finish = async () => call(await comeBack());
  const choose = (choice: object, headers: Record<string, string> = {}) =>
    post('/console/oidc/choose', choice, headers);

  async function signIn(invitation: string | null = null) {
    const begun = await begin(invitation);
    return begun.status === 200 ? finish() : begun;
  }

  return {
    ...{ begin, comeBack, finish, open: (address: string) => call(address) },
    ...{ signIn, choose },
    /** Signs in, and accepts the only invitation that the page then offers. */
    async acceptOnly() {
      const { text, session } = await signIn();
      const offered = [...text.matchAll(/data-person="/g)].length;
      if (offered !== 1 || session !== null) throw new Error(`${offered} are offered: ${text}`);
      return choose(choiceOn(text));
    },
    get: (path: string, session: string | null) =>
      fetch(`${site.url}${path}`, {
        headers: { accept: 'text/html', cookie: `${site.cookie}=${session ?? ''}` },
      }).then(async (response) => ({ status: response.status, text: await response.text() })),
  };
}

/** The first choice that a page offers. */
export function choiceOn(page: string) {
  const read = (name: string) => new RegExp(`data-${name}="([^"]+)"`).exec(page)?.[1] ?? '';
  const whom = { organisationId: read('organisation'), personId: read('person') };
  return { token: read('token'), statement: read('statement'), ...whom };
}

/** The value of a cookie that the answer sets; null if it sets none. */
function cookieIn(headers: Headers, name: string): string | null {
  const line = headers.getSetCookie().find((each) => each.startsWith(`${name}=`));
  return line?.slice(name.length + 1).split(';')[0] || null;
}
