import { hashBytes } from './merkle-hash.ts';

/** Number of hashes in a full tile. Readers rebuild the subtree of height 8 over them. */
export const tileWidth = 256;

/**
 * Hashes of level 8·`level` of the tree: `width` of them, beginning with number 256·`index`. A tile
 * narrower than 256 is partial, and the last of its level (C2SP tlog-tiles).
 */
export interface Tile {
  readonly level: number;
  readonly index: number;
  readonly width: number;
}

/** `tile/<L>/<N>[.p/<W>]`, with N in groups of three digits: `tile/0/x001/x234/067.p/8`. */
export function tilePath({ level, index, width }: Tile): string {
  const digits = String(index);
  const groups = digits.padStart(Math.ceil(digits.length / 3) * 3, '0').match(/\d{3}/g) ?? [];
  const name = groups
    .join('/x')
    .replace(/^(?=.*x)/, 'x')
    .replace(/x(?=\d{3}$)/, '');
  return `tile/${level}/${name}${width === tileWidth ? '' : `.p/${width}`}`;
}

/** Parses a tile's path; null unless the path is in canonical form. */
export function parseTilePath(path: string): Tile | null {
  const found = /^tile\/(\d{1,2})\/((?:x\d{3}\/){0,5}\d{3})(?:\.p\/(\d{1,3}))?$/.exec(path);
  if (found === null) return null;
  const [, level, name = '', width] = found;
  const tile = {
    level: Number(level),
    index: Number(name.replace(/[x/]/g, '')),
    width: width === undefined ? tileWidth : Number(width),
  };
  const isTile =
    tile.level < 64 &&
    Number.isSafeInteger(tile.index) &&
    tile.width > 0 &&
    tile.width <= tileWidth;
  return isTile && tilePath(tile) === path ? tile : null;
}

/** Number of the tile's hashes in a tree of this size; 0 if the tree does not reach the tile. */
export function widthIn(size: number, { level, index }: Omit<Tile, 'width'>): number {
  const hashes = Math.floor(size / tileWidth ** level);
  return Math.min(tileWidth, Math.max(0, hashes - index * tileWidth));
}

/** The partial tiles of a tree of this size, from level 0 up. */
export function partialTiles(size: number): readonly Tile[] {
  const tiles: Tile[] = [];
  let hashes = size;
  for (let level = 0; hashes > 0; level += 1) {
    const width = hashes % tileWidth;
    const index = Math.floor(hashes / tileWidth);
    if (width > 0) tiles.push({ level, index, width });
    hashes = index;
  }
  return tiles;
}

/** Splits a tile's bytes into its hashes. */
export function splitTile(bytes: Buffer): readonly Buffer[] {
  return Array.from({ length: bytes.length / hashBytes }, (_, at) =>
    bytes.subarray(at * hashBytes, (at + 1) * hashBytes),
  );
}
