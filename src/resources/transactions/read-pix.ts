import { readFields } from "../../data/read-fields.ts";
import type { Deviate } from "../../http/call.ts";
import { recordOr } from "../read-record.ts";
import { type PixCode, pixShape } from "./transaction.ts";

/** How a pix code begins: EMV payload format indicator, version 01. */
const PIX_CODE = /^000201/;
/** How a PNG begins in base64. */
const PNG_BASE64 = /^iVBORw0KGgo/;

/**
 * The pix of an answer; an empty `qrcodeText` where it has none. A code or a picture that came in the
 * other's place is known by its shape.
 */
export function readPix(value: unknown, deviate: Deviate): PixCode {
  const received = recordOr(value, "data.pix", deviate);
  if (received === undefined) return { qrcodeText: "" };
  const { qrcode, qrcodeText, ...rest } = readFields(pixShape, received, "data.pix", deviate);
  const code = [qrcodeText, qrcode].find((text) => text !== undefined && PIX_CODE.test(text)) ?? qrcodeText;
  if (code !== undefined && code === qrcode)
    deviate({ field: "data.pix.qrcode", message: "holds the pix code" });
  const picture = [qrcode, qrcodeText].find(
    (text) => text?.startsWith("data:image/") || PNG_BASE64.test(text ?? ""),
  );
  const uri =
    picture !== undefined && PNG_BASE64.test(picture) ? `data:image/png;base64,${picture}` : picture;
  const other = qrcode !== code ? qrcode : undefined;
  const shown = uri ?? other;
  return {
    qrcodeText: code !== undefined && code !== picture ? code : "",
    ...(shown !== undefined && { qrcode: shown }),
    ...rest,
  };
}
