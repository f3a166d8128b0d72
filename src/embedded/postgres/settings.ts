/** Settings of the bundled PostgreSQL, passed on its command line, so that they follow the code. */
export const settings: Readonly<Record<string, string>> = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  password_encryption: 'scram-sha-256',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // For two cores and little memory.
  max_connections: '100',
  shared_buffers: '128MB',
  wal_compression: 'on',
  jit: 'off',
  // Disables io workers: the death of one while PostgreSQL recovers from another kill goes
  // unnoticed, and every read waits for it for ever (seen in 18.4).
  io_method: 'sync',
  // Acknowledged commits survive a power failure.
  fsync: 'on',
  synchronous_commit: 'on',
  full_page_writes: 'on',
  // The log must not repeat data of callers: no statements, no DETAIL with key values.
  logging_collector: 'on',
  log_directory: 'log',
  log_filename: 'postgresql-%Y-%m-%d_%H%M%S.log',
  log_rotation_size: '10MB',
  log_rotation_age: '0',
  log_checkpoints: 'off',
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
};

/** For data that may be lost: tests only. */
const volatileSettings: Readonly<Record<string, string>> = {
  fsync: 'off',
  full_page_writes: 'off',
  wal_compression: 'off',
  // Sessions start faster with less shared memory.
  shared_buffers: '32MB',
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
