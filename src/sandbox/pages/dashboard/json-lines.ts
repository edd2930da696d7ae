import type { Problem } from "../../body-rules.ts";

export interface JsonLine {
  readonly depth: number;
  readonly text: string;
  readonly problems: readonly string[];
  /** Whether the field is not in the body, and stands where it is missing. */
  readonly isMissing: boolean;
}

/** More levels are no use to a reader, and thousands of them overflow the stack. */
const DEPTH_MAX = 100;

/**
 * Formats a value as JSON, with the problems of its fields at their lines. Returns `undefined` if it has more than
 * 100 levels.
 */
export function toJsonLines(value: unknown, problems: readonly Problem[]): readonly JsonLine[] | undefined {
  return isDeeperThan(DEPTH_MAX, value) ? undefined : linesOf(value, "", 0, problems);
}

function isDeeperThan(max: number, value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  return max === 0 || Object.values(value).some((child) => isDeeperThan(max - 1, child));
}

/** @param name the key with its colon, if the value is a field. @param problems those of this value and within it. */
function linesOf(
  value: unknown,
  name: string,
  depth: number,
  problems: readonly Problem[],
): readonly JsonLine[] {
  const messages = problems.filter(({ field }) => field === "").map(({ message }) => message);
  const line = (text: string): JsonLine => ({ depth, text, problems: messages, isMissing: false });
  if (typeof value !== "object" || value === null) return [line(name + JSON.stringify(value))];

  const isArray = Array.isArray(value);
  const [open, close] = isArray ? "[]" : "{}";
  const inner = problems.filter(({ field }) => field !== "");
  const entries = Object.entries(value);
  const isIn = (field: string) => Object.hasOwn(value, headOf(field));
  const children = [
    ...entries.map(([key, child]) =>
      linesOf(child, isArray ? "" : `${JSON.stringify(key)}: `, depth + 1, within(inner, key)),
    ),
    ...inner.filter(({ field }) => !isIn(field)).map((problem) => [missingLine(problem, depth + 1)]),
  ];
  if (children.length === 0) return [line(`${name}${open}${close}`)];
  const separated = children.map((lines, index) => (index < entries.length - 1 ? withComma(lines) : lines));
  return [line(name + open), ...separated.flat(), { ...line(`${close}`), problems: [] }];
}

function headOf(field: string): string {
  return field.split(".")[0] ?? "";
}

/** The problems of a field, with their paths from there. */
function within(problems: readonly Problem[], key: string): readonly Problem[] {
  return problems
    .filter(({ field }) => headOf(field) === key)
    .map(({ field, message }) => ({ field: field.slice(key.length + 1), message }));
}

function missingLine({ field, message }: Problem, depth: number): JsonLine {
  return { depth, text: field, problems: [message], isMissing: true };
}

function withComma(lines: readonly JsonLine[]): readonly JsonLine[] {
  return lines.map((line, index) => (index === lines.length - 1 ? { ...line, text: `${line.text},` } : line));
}
