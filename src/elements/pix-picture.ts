import { generate } from "lean-qr/nano";
import { h } from "./element-base.ts";

const SVG = "http://www.w3.org/2000/svg";

/** White border in modules. ISO/IEC 18004 requires four, and scanners need it on a dark page. */
const QUIET_ZONE = 4;

/** Shows the service's picture. Without one, or if the page cannot load it, draws the code. */
export function showPicture(box: Element, qrcode: string, code: string, alt: string): void {
  if (!/^(data:image\/|https?:)/i.test(qrcode)) {
    box.replaceChildren(...drawn(code, alt));
    return;
  }
  const image = h("img", { alt });
  // For example, a content security policy without `img-src data:`.
  image.addEventListener("error", () => image.replaceWith(...drawn(code, alt)));
  image.src = qrcode;
  box.replaceChildren(image);
}

function drawn(code: string, alt: string): Node[] {
  if (code === "") return [];
  try {
    return [drawQrCode(code, alt)];
  } catch {
    return []; // too long for a QR code
  }
}

function drawQrCode(code: string, alt: string): SVGElement {
  // The lowest error correction: it gives the largest modules, and a screen has no scratches.
  const { size, get } = generate(code);
  let path = "";
  for (let y = 0; y < size; y += 1) {
    for (let x = 0; x < size; x += 1) if (get(x, y)) path += `M${x} ${y}h1v1h-1z`;
  }
  const side = size + 2 * QUIET_ZONE;
  const box = `${-QUIET_ZONE} ${-QUIET_ZONE} ${side} ${side}`;
  // Always dark on white, also on a dark page: many scanners cannot read the reverse.
  return svg(
    "svg",
    { role: "img", "aria-label": alt, viewBox: box, "shape-rendering": "crispEdges" },
    svg("path", { fill: "#fff", d: `M-${QUIET_ZONE}-${QUIET_ZONE}h${side}v${side}h-${side}z` }),
    svg("path", { fill: "#000", d: path }),
  );
}

/** The sign above a headline: a check mark, or a clock. It says nothing more than the headline. */
export function endSign(isPaid: boolean): SVGElement {
  return svg(
    "svg",
    { "aria-hidden": "true", viewBox: "0 0 24 24" },
    svg("path", { d: `M12 2a10 10 0 1 0 .01 0z${isPaid ? "M7.5 12.5l3 3 6-6.5" : "M12 7v5.5l3.5 2"}` }),
  );
}

function svg(tag: string, attributes: Readonly<Record<string, string>>, ...children: Node[]): SVGElement {
  const element = document.createElementNS(SVG, tag) as SVGElement;
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}
