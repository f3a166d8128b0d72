/** Servers of a database that stand in for each other. */
export interface DatabaseHosts {
  /** One URL for each server, without `target_session_attrs`. */
  readonly urls: readonly string[];
  /** True if only a server that takes writes is meant: for several hosts always. */
  readonly takesWrites: boolean;
}

const form = /^(postgres(?:ql)?:\/\/)((?:[^/?#]*@)?)([^/?#]*)(.*)$/s;

/** Values of `target_session_attrs`, and whether they mean a server that takes writes. */
const attributes: ReadonlyMap<string, boolean> = new Map([
  ['any', false],
  ['primary', true],
  ['read-write', true],
]);

/**
 * Divides a URL as libpq does: `postgres://user:password@host-1:5432,host-2/database`. Returns null
 * for anything else, and for a `target_session_attrs` that means servers without writes.
 */
export function parseDatabaseHosts(text: string): DatabaseHosts | null {
  const [, scheme = '', user = '', hosts = '', rest = ''] = form.exec(text) ?? [];
  const urls = hosts.split(',').map((host) => `${scheme}${user}${host}${rest}`);
  const parsed = urls.map((url) => (URL.canParse(url) ? new URL(url) : null));
  const isEmpty = urls.length > 1 && hosts.split(',').includes('');
  const wanted = parsed[0]?.searchParams.get('target_session_attrs') ?? 'any';
  const takesWrites = attributes.get(wanted);
  if (scheme === '' || isEmpty || parsed.includes(null) || takesWrites === undefined) return null;
  return {
    // A URL without the attribute stays as it is: the driver reads it more leniently than we do.
    urls: urls.map((url, index) => (wanted === 'any' ? url : withoutAttribute(parsed[index], url))),
    takesWrites: takesWrites || urls.length > 1,
  };
}

function withoutAttribute(parsed: URL | null | undefined, url: string): string {
  parsed?.searchParams.delete('target_session_attrs');
  return parsed?.href ?? url;
}
