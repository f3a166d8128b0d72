import type { Font, GlyphPositioning } from 'fontkit';

/**
 * Lets fontkit pass over the places where a font has no anchor for a mark, as the format allows and
 * HarfBuzz does: the next table is tried, else the mark stays where it is. fontkit 2.0.4 throws there
 * (foliojs/fontkit#367), which common Quranic marks on Arabic letters are enough for.
 */
export function skipMissingAnchors({ _layoutEngine: { engine } }: Font): void {
  const positioning = engine?.GPOSProcessor ?? null;
  if (positioning !== null) guard(positioning);
}

function guard(positioning: GlyphPositioning): void {
  const applyAnchor = positioning.applyAnchor.bind(positioning);
  const applyLookup = positioning.applyLookup.bind(positioning);
  let missing = false;
  positioning.applyAnchor = (mark, base, index) => {
    if (base && mark.markAnchor) applyAnchor(mark, base, index);
    else missing = true;
  };
  positioning.applyLookup = (type, table) => {
    const applied = applyLookup(type, table);
    const placed = !missing;
    missing = false;
    return applied && placed;
  };
}
