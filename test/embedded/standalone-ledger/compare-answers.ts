export type Json = Readonly<Record<string, unknown>>;

export function isRecord(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Values that differ on every server and run. They must have the recorded type, and hashes the
 * recorded form. Everything else must be equal.
 */
const volatile = new Set([
  // the chain: rippled's genesis holds amendments, fee settings and skip lists too
  ...['ledger_hash', 'parent_hash', 'account_hash'],
  // the server: identity and uptime
  ...['build_version', 'hostid', 'pubkey_node', 'random', 'time', 'uptime', 'age', 'port'],
  ...['initial_sync_duration_us', 'server_state_duration_us', 'duration_us', 'converge_time_s'],
]);

export interface Comparison {
  /** Further values that may differ in this comparison. */
  readonly volatile?: readonly string[];
}

/** Differences between an answer and the recorded one, as readable lines. Empty if equal. */
export function differences(
  actual: unknown,
  recorded: unknown,
  options: Comparison = {},
  path = '$',
  isVolatile = false,
): string[] {
  if (Array.isArray(recorded)) {
    if (!Array.isArray(actual)) return [`${path}: ${typeof actual} instead of an array`];
    if (actual.length !== recorded.length) {
      return [`${path}: ${actual.length} items instead of ${recorded.length}`];
    }
    return recorded.flatMap((each, place) =>
      differences(actual[place], each, options, `${path}[${place}]`, isVolatile),
    );
  }
  if (isRecord(recorded)) {
    if (!isRecord(actual)) return [`${path}: ${typeof actual} instead of an object`];
    const missing = Object.keys(recorded).filter((key) => !(key in actual));
    const further = Object.keys(actual).filter((key) => !(key in recorded));
    return [
      ...missing.map((key) => `${path}.${key} is missing`),
      ...further.map((key) => `${path}.${key} should not be there`),
      ...Object.entries(recorded).flatMap(([key, value]) =>
        key in actual
          ? differences(
              actual[key],
              value,
              options,
              `${path}.${key}`,
              isVolatileAt(path, key, options),
            )
          : [],
      ),
    ];
  }
  if (isVolatile)
    return formOf(actual) === formOf(recorded)
      ? []
      : [`${path}: ${actual} is no ${formOf(recorded)}`];
  return Object.is(actual, recorded) ? [] : [`${path}: ${actual} instead of ${recorded}`];
}

function isVolatileAt(path: string, key: string, options: Comparison): boolean {
  const isLedgerHash = key === 'hash' && path.endsWith('.validated_ledger');
  return volatile.has(key) || isLedgerHash || (options.volatile?.includes(key) ?? false);
}

function formOf(value: unknown): string {
  if (typeof value !== 'string') return typeof value;
  if (/^[0-9A-F]{64}$/.test(value)) return 'hash';
  if (/^[0-9A-F]{65,}$/.test(value)) return 'hex';
  if (/^\d+$/.test(value)) return 'digits';
  if (/^r[1-9A-HJ-NP-Za-km-z]{24,34}$/.test(value)) return 'address';
  if (/^\d{4}-[A-Z][a-z]{2}-\d{2} \d{2}:\d{2}:\d{2}\.\d{6,9} UTC$/.test(value)) return 'time';
  return 'string';
}
