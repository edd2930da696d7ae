/** What zod tells a message function about a problem. */
interface Problem {
  readonly input?: unknown;
}

/** Parameters of a schema whose message tells a missing value from a wrong one, and never shows it. */
export function say(message: string): { error: (problem: Problem) => string } {
  return { error: (problem) => (problem.input === undefined ? "is required" : message) };
}
