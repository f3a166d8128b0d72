import type { Font, GlyphPositioning } from 'fontkit';

/**
 * Lets fontkit skip missing anchors of marks, as the format allows and HarfBuzz does. The next
 * table is tried, else the mark keeps its position. Without this patch fontkit 2.0.4 throws
 * (foliojs/fontkit#367), even for common Quranic marks on Arabic letters.
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
