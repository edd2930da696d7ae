import { h, svg } from "./element-base.ts";

/** Shows the service's picture. Without one, or if the page cannot load it, draws the code. */
export function showPicture(box: Element, qrcode: string, code: string, alt: string): void {
  const drawing = svg("svg", { role: "img", "aria-label": alt, "shape-rendering": "crispEdges" });
  const image = h("img", { alt });
  const drawInstead = () => {
    image.replaceWith(drawing);
    draw(drawing, code).catch(() => drawing.remove()); // too long for a QR code, or the browser is offline
  };
  box.replaceChildren(image);
  // For example, a content security policy without `img-src data:`.
  image.addEventListener("error", drawInstead);
  if (/^(data:image\/|https?:)/i.test(qrcode)) image.src = qrcode;
  else drawInstead();
}

async function draw(drawing: SVGElement, code: string): Promise<void> {
  if (code === "") throw new Error("nothing to draw");
  const { drawQrCode } = await import("./qr-code.ts");
  drawQrCode(drawing, code);
}

/** The sign above a headline: a check mark, or a clock. It says nothing more than the headline. */
export function endSign(isPaid: boolean): SVGElement {
  return svg(
    "svg",
    { "aria-hidden": "true", viewBox: "0 0 24 24" },
    svg("path", { d: `M12 2a10 10 0 1 0 .01 0z${isPaid ? "M7.5 12.5l3 3 6-6.5" : "M12 7v5.5l3.5 2"}` }),
  );
}
