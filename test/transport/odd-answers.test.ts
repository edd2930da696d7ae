import { describe, expect, test } from "vitest";
import { answerOf, directSend, endingOf } from "./support/direct.ts";
import { answer, saying, startRaw } from "./support/raw-server.ts";

const CHARGED = JSON.stringify({ success: true, data: { id: 4021 } });

describe("an answer that came whole is read, whatever is odd about it", () => {
  test.each(["constructor", "__proto__", "zstd", "aws-chunked"])(
    "packed in a way that nobody knows: %s",
    async (coding) => {
      const long = CHARGED.padEnd(20_000); // too long to be unpacked at once
      for (const body of [CHARGED, long]) {
        const { baseUrl } = await startRaw(
          saying(answer(Buffer.from(body), `content-encoding: ${coding}\r\n`)),
        );

        expect((await answerOf(baseUrl)).text).toBe(body);
      }
    },
  );

  test("with bytes behind it that nobody asked for", async () => {
    const whole = answer(Buffer.from(CHARGED));
    const { baseUrl } = await startRaw(saying(Buffer.concat([Buffer.from(whole), Buffer.from("garbage")])));

    expect((await answerOf(baseUrl)).text).toBe(CHARGED);
  });

  test("without a body by its status, and with one all the same", async () => {
    const { baseUrl } = await startRaw(saying("HTTP/1.1 204 No Content\r\ncontent-length: 4\r\n\r\nbody"));

    expect(await answerOf(baseUrl)).toMatchObject({ status: 204, text: "" });
  });
});

test("who waits gets no connection that the service has announced to end", async () => {
  const whole = answer(Buffer.from(CHARGED), "keep-alive: timeout=0\r\n");
  const { baseUrl } = await startRaw((socket) => {
    socket.once("data", () => {
      socket.write(whole);
      socket.on("data", () => socket.resetAndDestroy());
    });
  });
  const send = directSend({ maxSockets: 1 });

  const endings = await Promise.all(Array.from({ length: 5 }, () => endingOf(baseUrl, { send })));

  expect(endings.map(({ answer: got }) => got?.text)).toEqual(Array.from({ length: 5 }, () => CHARGED));
});
