import type { JsonObject } from './parse-canonical.ts';

/**
 * Parses the data of a row as found; null unless they are a JSON object. Nothing is known of its
 * members: `Data` is the form of a sound event.
 */
export function parseObject<Data extends object = JsonObject>(text: string): Data | null {
  try {
    const value = JSON.parse(text);
    return typeof value === 'object' && !Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}
