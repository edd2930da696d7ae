import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { run } from "../support/running.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { root, script } from "../support/tool.ts";

describe("npm test", () => {
  test("ends with its closing line and a failure where vitest cannot start at all", async () => {
    const { code, stdout } = await script("test", "--config", "nowhere.ts");

    expect(code).toBe(1);
    expect(stdout).toMatch(/\n0 passed, 1 failed\n$/);
  });

  test("counts a run that found no test as a failure", async () => {
    const { code, stdout } = await script("test", "--project", "node", "--coverage.enabled=false", "nowhere");

    expect(code).toBe(1);
    expect(stdout).toMatch(/\n0 passed, 1 failed\n$/);
  });
});

describe("npm run example", () => {
  test("lists the examples and what they are when it is given no name", async () => {
    const { code, stdout } = await script("example");

    const files = readdirSync(join(root, "examples")).filter((file) => file.endsWith(".ts"));
    const listed = [...stdout.matchAll(/^ {2}([a-z]+) +[A-Z].+\.$/gm)];
    expect(code).toBe(0);
    expect(listed.map(([, name]) => `${name}.ts`)).toEqual(files);
    expect(listed.filter(([line]) => line.length > 80)).toEqual([]);
  });

  test.each(["no-such-example", "../scripts/example"])(
    "runs no %s, and lists what there is",
    async (name) => {
      const { code, stdout, stderr } = await script("example", name);

      expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
      expect(stderr).toMatch(new RegExp(`^There is no example "${name}"\\.\\n(?:.*\\n)+ {2}quickstart `));
    },
  );

  /** Without the build, which other tests share, but for the code that it ends with. */
  function example(buildCode: number, ...args: readonly string[]) {
    const folder = temporaryFolder();
    writeFileSync(join(folder, "tsup"), `#!/bin/sh\nexit ${buildCode}\n`, { mode: 0o755 });
    const running = run("env", [`PATH=${folder}`, process.execPath, "scripts/example.ts", ...args]);
    onTestFinished(running.kill);
    return running;
  }

  test("passes on what the example prints, and nothing else", async () => {
    const running = example(0, "revenue", "--json");

    expect(await running.ended).toBe(0);
    expect(JSON.parse(running.stdout())).toMatchObject({ monthInCents: 129_950 });
    expect(running.stderr()).toBe("");
  });

  test("ends as the example ends", async () => {
    const running = example(0, "revenue", "--colour");

    expect(await running.ended).toBe(1);
    expect(running.stderr()).toBe("--colour is no flag. Usage: npm run example revenue -- --help\n");
  });

  test("runs nothing where the package cannot be built", async () => {
    const running = example(3, "revenue");

    expect(await running.ended).toBe(3);
    expect(running.stdout()).toBe("");
  });

  test.each([
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ] as const)("waits for an example that is ended by %s", async (signal, code) => {
    const running = example(0, "pix", "--watch");
    await running.printed(/Waiting for the payment\./);

    running.signal(signal);

    expect(await running.ended).toBe(code);
    expect(running.stderr()).toBe("");
  });
});
