import { cpSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { finish } from "../matrix/finish.ts";
import type { Row } from "../matrix/row.ts";
import { startOf } from "../matrix/start-of.ts";
import type { Workshop } from "../matrix/workshop.ts";
import { exactly, VERSIONS } from "../versions.ts";
import { ON_NODE } from "./entries.ts";

const smoke = join(import.meta.dirname, "../smoke");

const RESOLUTIONS = {
  nodenext: { module: "nodenext", moduleResolution: "nodenext" },
  bundler: { module: "esnext", moduleResolution: "bundler" },
};

const ON_NODE_ALONE = { types: ["node"], lib: ["es2022"] };
const WITH_DOM = { types: ["node"], lib: ["es2022", "dom", "dom.iterable"] };

/** The files of the smoke test, by where they run: together they use every entry. */
const PROGRAMS = {
  "on Node": { files: ["everywhere.ts", "at-most-once.ts", "on-servers.ts", "wrong.ts"], ...ON_NODE_ALONE },
  "in a page": { files: ["page.ts", "wrong.ts"], ...WITH_DOM, types: [] },
  "with msw": { files: ["behind-msw.ts"], ...WITH_DOM }, // its declarations need those of the DOM
};

/** Before this one, the declarations of msw 3 itself have errors. */
const FIRST_FOR_MSW = "5.7";

/** Shows that the types are there: each line of it is an error without its first one. */
const WRONG = `
import { PaymentsClient } from "payments-sdk";
import { createPostbackHandler } from "payments-sdk/postbacks";
// @ts-expect-error: a base URL is a text
new PaymentsClient({ baseUrl: 1 });
// @ts-expect-error: a handler needs a signer, or the word that it needs none
createPostbackHandler({ onPostback: () => undefined });
`;

const rowOf = (version: string): Row => {
  const name = `typescript-${version.replace(/\.\d+$/, "")}`;
  return {
    name,
    group: "compilers",
    label: "TypeScript",
    version,
    entries: ON_NODE,
    run: async (workshop) => {
      const tool = await workshop.bring(name, [exactly("typescript", version)]);
      await startOf(tool.bin("tsc"), ["--version"], version);
      const canReadMsw = Number(version.slice(0, 3)) >= Number(FIRST_FOR_MSW);
      await check(workshop, tool.bin("tsc"), canReadMsw);
      tool.remove();
      return canReadMsw ? [] : ["payments-sdk/msw with skipLibCheck: msw's own declarations have errors"];
    },
  };
};

async function check(workshop: Workshop, tsc: string, canReadMsw: boolean): Promise<void> {
  const { folder } = await workshop.consumer();
  const program = join(folder, "typed");
  cpSync(smoke, program, { recursive: true });
  writeFileSync(join(program, "package.json"), '{ "type": "module" }');
  writeFileSync(join(program, "wrong.ts"), WRONG);
  const failures: string[] = [];
  for (const [resolution, modules] of Object.entries(RESOLUTIONS)) {
    for (const [place, { files, ...platform }] of Object.entries(PROGRAMS)) {
      const skipLibCheck = place === "with msw" && !canReadMsw;
      const compilerOptions = { ...STRICTLY, ...modules, ...platform, skipLibCheck };
      writeFileSync(join(program, "tsconfig.json"), JSON.stringify({ compilerOptions, files }));
      const { code, output } = await finish(tsc, ["-p", program], program);
      if (code !== 0) failures.push(`${resolution}, ${place}:\n${output}`);
    }
  }
  if (failures.length > 0) throw new Error(failures.join("\n"));
}

const STRICTLY = {
  target: "es2022",
  strict: true,
  exactOptionalPropertyTypes: true,
  allowImportingTsExtensions: true,
  noEmit: true,
};

export const COMPILER_ROWS: readonly Row[] = VERSIONS.typescript.map(rowOf);
