/** Tiles of a level that are written at once: any of them may be missing while later ones exist. */
export const tilesAtOnce = 8;
