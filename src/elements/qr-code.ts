// Loaded only if a QR code is drawn: the service sends a picture.

import { generate } from "lean-qr/nano";
import { svg } from "./element-base.ts";

/** White border in modules. ISO/IEC 18004 requires four, and scanners need it on a dark page. */
const QUIET_ZONE = 4;

/** @throws if the text is too long for a QR code. */
export function drawQrCode(drawing: SVGElement, text: string): void {
  // The lowest error correction: it gives the largest modules, and a screen has no scratches.
  const { size, get } = generate(text);
  let path = "";
  for (let y = 0; y < size; y += 1) {
    for (let x = 0; x < size; x += 1) if (get(x, y)) path += `M${x} ${y}h1v1h-1z`;
  }
  const side = size + 2 * QUIET_ZONE;
  drawing.setAttribute("viewBox", `${-QUIET_ZONE} ${-QUIET_ZONE} ${side} ${side}`);
  // On the white of its box, also on a dark page: many scanners cannot read light on dark.
  drawing.append(svg("path", { fill: "#000", d: path }));
}
