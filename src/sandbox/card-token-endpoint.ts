import { validationError } from "./answers.ts";
import { type CardRequest, cardProblems } from "./card-rules.ts";
import type { CardTokens } from "./card-tokens.ts";
import { readJson } from "./wire-rules.ts";

/** POST /api/v1/card-token: a 400 with every problem, or the token as plain text. */
export async function answerCreateCardToken(request: Request, tokens: CardTokens): Promise<Response> {
  const body = await readJson(request);

  const problems = cardProblems(body);
  if (problems.length > 0) return validationError(problems);

  // The rules have just proven this shape.
  return new Response(tokens.issue(body as CardRequest));
}
