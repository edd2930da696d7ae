import OpenAI from "openai";
import type { Connect } from "../support/contender.ts";
import { SECRET_KEY } from "../support/keys.ts";
import type { Answer } from "../support/orders.ts";

/** What its resources call with their paths. */
export const connect: Connect = (baseUrl) => {
  const client = new OpenAI({ apiKey: SECRET_KEY, baseURL: baseUrl, maxRetries: 0 });
  return async (order) => (await client.post<Answer>("/chat/completions", { body: order })).data.id;
};
