/** Place of the console as browsers see it. */
export interface ConsoleSite {
  /** The only origin whose pages may change anything, such as `https://proofs.example`. */
  readonly origin: string;
  /** Public URL without a slash at its end, on `localhost` if it names this machine. */
  readonly url: string;
  /** Relying party id of passkeys: the host. */
  readonly rpId: string;
  /** Name of the session's cookie. */
  readonly cookie: string;
  readonly isHttps: boolean;
  /** True on this machine, which browsers trust without TLS. */
  readonly isLocal: boolean;
}

const loopback = ['localhost', '127.0.0.1', '[::1]', '0.0.0.0', '[::]'];

/**
 * Reads the site from the public URL. Passkeys need a host name, so the addresses of this machine
 * become `localhost`. A cookie with the prefix `__Host-` cannot come from another host or without
 * TLS; browsers accept it on TLS only.
 */
export function consoleSite(publicUrl: string): ConsoleSite {
  const url = new URL(publicUrl);
  const isLocal = loopback.includes(url.hostname);
  if (isLocal) url.hostname = 'localhost';
  const isHttps = url.protocol === 'https:';
  return {
    origin: url.origin,
    url: url.href.replace(/\/+$/, ''),
    rpId: url.hostname,
    cookie: isHttps ? '__Host-console' : 'console',
    isHttps,
    isLocal,
  };
}

/** Link by which a person accepts an invitation. Servers and their logs never see the fragment. */
export function invitationLink(publicUrl: string, invitation: string): string {
  return `${consoleSite(publicUrl).url}/console/join#${invitation}`;
}

/** True for the names of this machine that cannot have passkeys. */
export function isOtherLoopback(hostname: string): boolean {
  return hostname !== 'localhost' && loopback.includes(hostname);
}
