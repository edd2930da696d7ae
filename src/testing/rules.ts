import assert from "node:assert/strict";

/** The part of the context of a test that skips it, in vitest and `node:test`. */
export interface TestContext {
  /** Ends the test as skipped. */
  skip?(reason: string): void;
}

/** A test for any test runner. */
export interface RuleTest {
  /** The rule that it checks. */
  readonly name: string;
  /**
   * Rejects with an `AssertionError` of `node:assert` if the rule is broken.
   *
   * @param context - What vitest and `node:test` pass to a test. With it, tests of what is missing are skipped.
   */
  readonly run: (context?: TestContext) => Promise<void>;
}

/** A promise to check, which is the title, and the code that checks it. */
export interface Rule<Setting, Need> {
  readonly title: string;
  /** Without these, the rule does not apply. */
  readonly needs: readonly Need[];
  readonly check: (setting: Setting) => Promise<void>;
}

export function rulesFor<Setting, Need>() {
  type Run = (setting: Setting) => Promise<void>;
  type Check = Run & { readonly needs?: readonly Need[] };
  return {
    /** Rules by their subject and the rest of their title. */
    rules: (
      checks: Readonly<Record<string, Readonly<Record<string, Check>>>>,
      ...needsOfAll: readonly Need[]
    ): readonly Rule<Setting, Need>[] =>
      Object.entries(checks).flatMap(([subject, bySubject]) =>
        Object.entries(bySubject).map(([title, check]) => {
          return { title: `${subject} ${title}`, needs: [...needsOfAll, ...(check.needs ?? [])], check };
        }),
      ),

    needs: (feature: Need, check: Run): Check => Object.assign(check, { needs: [feature] }),

    /** The same check for each case, whose name replaces `%s` in the title. */
    forEach<Case>(
      title: string,
      cases: Readonly<Record<string, Case>> | readonly (Case & string)[],
      check: (setting: Setting, each: Case) => Promise<void>,
    ): Record<string, Check> {
      const named = Array.isArray(cases) ? cases.map((each) => [each, each]) : Object.entries(cases);
      const checks = named.map(([name, each]): [string, Check] => {
        return [title.replace("%s", () => name), (setting) => check(setting, each)];
      });
      return Object.fromEntries(checks);
    },
  };
}

/** Adds to the message of a failed assertion what it was about. */
export function explainFailure(error: unknown, context: string): unknown {
  if (!(error instanceof assert.AssertionError)) return error;
  const { message, stack } = error;
  error.message = `${context}\n${message}`;
  error.stack = String(stack).replace(message, () => error.message);
  return error;
}
