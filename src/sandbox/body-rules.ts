/**
 * Rules for validating request bodies. The client's schemas are deliberately not used, so that tests against the
 * sandbox reveal a mistake in them.
 */

/** One entry of a validation error. Spec: "Errors", validation. */
export interface Problem {
  /** Dotted path, such as `items.0.unitPrice`; `body` if the body is not an object. */
  readonly field: string;
  readonly message: string;
}

export type JsonObject = Readonly<Record<string, unknown>>;

export type Rule = (value: unknown, field: string) => readonly Problem[];

/** Returns the problems of a field, which may be missing. */
export type FieldRule = (owner: JsonObject, key: string, field: string) => readonly Problem[];

export type FieldRules = Readonly<Record<string, FieldRule>>;

export function must(message: string, isValid: (value: unknown) => boolean): Rule {
  return (value, field) => (isValid(value) ? [] : [{ field, message }]);
}

/** A rule with a further check, which returns the problem of a value that satisfies the rule. */
export function refined(rule: Rule, problemWith: (value: unknown) => string | undefined): Rule {
  return (value, field) => {
    const problems = rule(value, field);
    const message = problems.length === 0 ? problemWith(value) : undefined;
    return message === undefined ? problems : [{ field, message }];
  };
}

export function required(rule: Rule): FieldRule {
  return (owner, key, field) =>
    Object.hasOwn(owner, key) ? rule(owner[key], field) : [{ field, message: "Is required" }];
}

/** The field can be omitted; `null` counts as a value. */
export function optional(rule: Rule): FieldRule {
  return (owner, key, field) => (Object.hasOwn(owner, key) ? rule(owner[key], field) : []);
}

export function forbidden(message: string): FieldRule {
  return (owner, key, field) => (Object.hasOwn(owner, key) ? [{ field, message }] : []);
}

/** Fields without a rule are accepted: the specification does not forbid them. */
export function object(fields: FieldRules): Rule {
  return (value, field) => {
    if (!isJsonObject(value)) return [{ field: field || "body", message: "Must be a JSON object" }];
    return Object.entries(fields).flatMap(([key, rule]) => rule(value, key, field ? `${field}.${key}` : key));
  };
}

/**
 * An object that the specification lists only by its fields, such as `card` by `card.hash`. If it is missing,
 * these fields are reported.
 */
export function group(fields: FieldRules): FieldRule {
  const rule = object(fields);
  return (owner, key, field) => rule(Object.hasOwn(owner, key) ? owner[key] : {}, field);
}

export function list(element: Rule): Rule {
  return (value, field) => {
    if (!Array.isArray(value)) return [{ field, message: "Must be an array" }];
    return value.flatMap((entry: unknown, index) => element(entry, `${field}.${index}`));
  };
}

export const text = must(
  "Must be a string that is not empty",
  (value) => typeof value === "string" && value.trim() !== "",
);

export const anyText = must("Must be a string", (value) => typeof value === "string");

export const flag = must("Must be true or false", (value) => typeof value === "boolean");

export function oneOf(values: readonly string[]): Rule {
  return must(`Must be one of: ${values.join(", ")}`, (value) => values.some((known) => known === value));
}

export function matching(pattern: RegExp, message: string): Rule {
  return must(message, (value) => typeof value === "string" && pattern.test(value));
}

/** An integer of at least `min` that JSON does not round. */
export function integer(min: number, message: string): Rule {
  return must(message, (value) => Number.isSafeInteger(value) && Number(value) >= min);
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns `undefined`, which is not a JSON value, for invalid JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
