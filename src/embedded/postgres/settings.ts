/** How the bundled PostgreSQL is set; given on its command line, so they follow the code. */
export const settings: Readonly<Record<string, string>> = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  password_encryption: 'scram-sha-256',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // Two cores and little memory.
  max_connections: '100',
  shared_buffers: '128MB',
  wal_compression: 'on',
  jit: 'off',
  // Without its io workers: one that is killed while PostgreSQL recovers from another kill is not
  // missed, and every read waits for it for ever (seen in 18.4).
  io_method: 'sync',
  // What was acknowledged survives a power failure.
  fsync: 'on',
  synchronous_commit: 'on',
  full_page_writes: 'on',
  // The log must not repeat what callers supplied: no statements, no DETAIL with key values.
  logging_collector: 'on',
  log_directory: 'log',
  log_filename: 'postgresql-%Y-%m-%d_%H%M%S.log',
  log_rotation_size: '10MB',
  log_rotation_age: '0',
  log_checkpoints: 'off',
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
};

/** For data that may be lost: a test's. */
const volatileSettings: Readonly<Record<string, string>> = {
  fsync: 'off',
  full_page_writes: 'off',
  max_connections: '300',
};

/** Settings as arguments of postgres. */
export function postgresArguments(
  given: Readonly<Record<string, string>>,
  { port, durable }: { readonly port: number; readonly durable: boolean },
): string[] {
  const all = { ...given, ...(durable ? {} : volatileSettings), port: String(port) };
  return Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}
