import { h } from "./element-base.ts";

const SVG = "http://www.w3.org/2000/svg";

/** White border in modules. ISO/IEC 18004 requires four, and scanners need it on a dark page. */
const QUIET_ZONE = 4;

/** Shows the service's picture. Without one, or if the page cannot load it, draws the code. */
export function showPicture(box: Element, qrcode: string, code: string, alt: string): void {
  const drawing = svg("svg", { role: "img", "aria-label": alt, "shape-rendering": "crispEdges" });
  const image = h("img", { alt });
  const draw = () => {
    image.replaceWith(drawing);
    drawQrCode(drawing, code).catch(() => drawing.remove()); // too long for a QR code, or the browser is offline
  };
  box.replaceChildren(image);
  // For example, a content security policy without `img-src data:`.
  image.addEventListener("error", draw);
  if (/^(data:image\/|https?:)/i.test(qrcode)) image.src = qrcode;
  else draw();
}

async function drawQrCode(drawing: SVGElement, code: string): Promise<void> {
  if (code === "") throw new Error("nothing to draw");
  // A third of this element's bytes. Seldom loaded: the service sends a picture.
  const { generate } = await import("lean-qr/nano");
  // The lowest error correction: it gives the largest modules, and a screen has no scratches.
  const { size, get } = generate(code);
  let path = "";
  for (let y = 0; y < size; y += 1) {
    for (let x = 0; x < size; x += 1) if (get(x, y)) path += `M${x} ${y}h1v1h-1z`;
  }
  const side = size + 2 * QUIET_ZONE;
  drawing.setAttribute("viewBox", `${-QUIET_ZONE} ${-QUIET_ZONE} ${side} ${side}`);
  // Always dark on white, also on a dark page: many scanners cannot read the reverse.
  drawing.append(
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
