import type { Answer } from "./response.ts";
import type { ResponseMeta, WithResponse } from "./result.ts";

/** A result that came from the service; of its answer only what somebody asks for is made. */
export class Arrived<Data> implements WithResponse<Data> {
  readonly data: Data;
  readonly #answer: Answer;
  readonly #durationMs: number;

  constructor(data: Data, answer: Answer, durationMs: number) {
    this.data = data;
    this.#answer = answer;
    this.#durationMs = durationMs;
  }

  get response(): ResponseMeta {
    const { status, headers, requestId } = this.#answer;
    return { status, headers, requestId, durationMs: this.#durationMs, replayed: false };
  }
}
