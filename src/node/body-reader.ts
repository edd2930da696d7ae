/// <reference types="node" />
import type { IncomingMessage } from "node:http";
import type { Transform } from "node:stream";
import { ANSWER_MAX_BYTES } from "../spec/limits.ts";
import type { Coding } from "./content-codings.ts";

/** Who hears of a body, once. */
export interface BodyListener {
  /** @param cut - Whether it was too long: the last chunk goes beyond the limit. */
  readonly onBody: (chunks: readonly Buffer[], cut: boolean) => void;
  readonly onBroken: (error: unknown) => void;
}

/** Up to here, unpacking at once costs a third of what a stream does, and holds nobody up. */
const AT_ONCE_MAX_BYTES = 16_384;

/** Reads a body to its end or to the limit, and unpacks it. */
export class BodyReader {
  readonly #response: IncomingMessage;
  readonly #codings: readonly Coding[];
  readonly #listener: BodyListener;
  /** As they came, or unpacked where there are decoders. */
  #chunks: Buffer[] = [];
  #bytes = 0;
  #decoders: readonly Transform[] | undefined;

  constructor(response: IncomingMessage, codings: readonly Coding[], listener: BodyListener) {
    this.#response = response;
    this.#codings = codings;
    this.#listener = listener;
  }

  add(chunk: Buffer): void {
    if (this.#decoders !== undefined) {
      this.#feed(chunk);
      return;
    }
    this.#keep(chunk);
    if (this.#codings.length > 0 && this.#bytes > AT_ONCE_MAX_BYTES) this.#unpackAsItComes();
  }

  end(): void {
    if (this.#decoders !== undefined) this.#decoders[0]?.end();
    else if (this.#codings.length > 0 && this.#bytes > 0) this.#unpackAtOnce();
    else this.#listener.onBody(this.#chunks, false);
  }

  /** Nobody wants it any more. */
  drop(): void {
    for (const decoder of this.#decoders ?? []) decoder.destroy();
  }

  #keep(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#bytes += chunk.length;
    if (this.#bytes > ANSWER_MAX_BYTES) this.#listener.onBody(this.#chunks, true);
  }

  #unpackAtOnce(): void {
    const packed = this.#chunks.length === 1 ? (this.#chunks[0] as Buffer) : Buffer.concat(this.#chunks);
    const options = { maxOutputLength: ANSWER_MAX_BYTES };
    try {
      this.#listener.onBody(
        [this.#codings.reduce((bytes, coding) => coding.atOnce(bytes, options), packed)],
        false,
      );
    } catch (error) {
      if (Reflect.get(Object(error), "code") !== "ERR_BUFFER_TOO_LARGE") this.#listener.onBroken(error);
      else this.#unpackAsItComes().end(); // only a stream gives what is within the limit
    }
  }

  #unpackAsItComes(): this {
    const packed = Buffer.concat(this.#chunks);
    this.#chunks = [];
    this.#bytes = 0;
    const decoders = this.#codings.map((coding, place) => coding.stream(place === 0 ? packed[0] : undefined));
    for (const decoder of decoders) decoder.on("error", this.#listener.onBroken);
    const last = decoders.reduce((from, to) => from.pipe(to));
    last.on("data", (chunk: Buffer) => this.#keep(chunk));
    last.on("end", () => this.#listener.onBody(this.#chunks, false));
    this.#decoders = decoders;
    this.#feed(packed);
    return this;
  }

  #feed(packed: Buffer): void {
    const [first] = this.#decoders ?? [];
    if (first === undefined || first.write(packed)) return;
    this.#response.pause();
    first.once("drain", () => this.#response.resume());
  }
}
