import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ROWS } from "../runtime/rows/rows.ts";
import { testedVersions } from "../runtime/rows/tested.ts";
import { root } from "../support/tool.ts";

describe("docs/runtimes.md", () => {
  const page = () => readFileSync(join(root, "docs/runtimes.md"), "utf8");

  /** The rows of all tables whose head begins so, as cells without their marks. */
  const rowsBelow = (head: string): string[][] => {
    const lines = page().split("\n");
    return lines.flatMap((line, index) => {
      if (!line.startsWith(head)) return [];
      const below = lines.slice(index + 2);
      return below.slice(0, below.indexOf("")).map((row) =>
        row
          .split("|")
          .slice(1, -1)
          .map((cell) => cell.trim().replaceAll("`", "")),
      );
    });
  };

  test("names exactly what the matrix tries", () => {
    const named = rowsBelow("| tested |").map(([label = "", versions = ""]) => [label, versions.split(", ")]);

    expect(named).toEqual(Object.entries(testedVersions()));
  });

  test("says of a create that cannot have left what the matrix sees", () => {
    const said = rowsBelow("| | the platform's `fetch` |");

    const tried = ROWS.flatMap(({ label, proofs }) =>
      proofs === undefined ? [] : [[label, proofs.fetch, proofs.nodeTransport ?? ""]],
    );
    const once = new Map(tried.map((line) => [line.join(), line])); // Node has a row for each version
    expect(said).toEqual([...once.values()]);
  });
});

test.each(["README.md", "README.pt-BR.md"])("%s names exactly what the matrix tries", (page) => {
  const table = /`npm run matrix`.*\n\n((?:\|.*\n)+)/.exec(readFileSync(join(root, page), "utf8"))?.[1] ?? "";
  const named = table.replaceAll(/[\s|]+/g, " ");

  const tested = Object.entries(testedVersions());
  for (const [label, versions] of tested) expect(named).toContain(`${label} ${versions.join(", ")}`);
  expect(named.match(/\d+(\.\d+)*/g)).toHaveLength(tested.flatMap(([, versions]) => versions).length);
});
