import { Buffer } from "node:buffer";
import { inflateSync } from "node:zlib";
import jsqr from "jsqr";
import { createGateway } from "payments-sdk/sandbox";
import { PNG } from "pngjs";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { deflate } from "../../src/sandbox/deflate.ts";
import { aGuidePix, bodyOf, merchantOf } from "./support/wire.ts";

describe("where the runtime cannot compress", () => {
  beforeEach(() => void vi.stubGlobal("CompressionStream", undefined));

  test("a scanner reads the picture of a pix all the same", async () => {
    const { create } = merchantOf(createGateway());

    const { data } = await bodyOf(await create(aGuidePix()));

    const { qrcode, qrcodeText } = data.pix as { qrcode: string; qrcodeText: string };
    const picture = PNG.sync.read(Buffer.from(qrcode.replace("data:image/png;base64,", ""), "base64"));
    const read = jsqr.default(new Uint8ClampedArray(picture.data), picture.width, picture.height);
    expect(read?.data).toBe(qrcodeText);
  });

  test.each([
    1,
    65_535, // what one block holds
    65_536,
    200_000,
  ])("zlib unpacks %i bytes, and finds their sum right", async (length) => {
    const bytes = Uint8Array.from({ length }, (_, index) => index * 31);

    const packed = await deflate(bytes);

    expect(inflateSync(packed).equals(bytes)).toBe(true);
  });
});
