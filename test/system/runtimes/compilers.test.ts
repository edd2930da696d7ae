import { cpSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { root, tool } from "../../support/running.ts";
import { useProject, withMatrix } from "../support/matrix.ts";

const project = useProject();

const NODENEXT = { module: "nodenext", moduleResolution: "nodenext", exactOptionalPropertyTypes: true };
const BUNDLER = { module: "esnext", moduleResolution: "bundler", exactOptionalPropertyTypes: false };
const NODE_ONLY = { types: ["node"], lib: ["es2022"] };
const WITH_DOM = { types: ["node"], lib: ["es2022", "dom", "dom.iterable"] };

/** The files of the smoke test by platform. Together they use every entry. */
const PROGRAMS = [
  { place: "on Node", files: ["everywhere.ts", "on-servers.ts", "wrong.ts"], ...NODE_ONLY },
  { place: "in a page", files: ["neutral.ts", "wrong.ts", "elements.ts"], ...WITH_DOM, types: [] },
  { place: "with msw", files: ["behind-msw.ts"], ...WITH_DOM }, // its declarations need the types of the DOM
];

/** In older versions, the declarations of msw 3 have errors. */
const OLDEST_FOR_MSW = 5.7;

/** Checks that the types exist and are not `any`: each line below a comment is an error. */
const WRONG = `
import { PaymentsClient } from "payments-sdk";
import { redisStore } from "payments-sdk/idempotency";
import { parsePostback } from "payments-sdk/postbacks";

// @ts-expect-error: a base URL is a string
new PaymentsClient({ baseUrl: 1 });
// @ts-expect-error: not a client of Redis
redisStore({ query: async () => ({ rows: [] }) });
// @ts-expect-error: an amount is a number
export const amount: string = parsePostback("{}").amount;
`;

/** Without React, Vue and Svelte. */
const ELEMENTS = `
import { PaymentCardForm } from "payments-sdk/elements";

export const form: PaymentCardForm = document.createElement("payment-card-form");
// @ts-expect-error: a URL is a string
form.baseUrl = 1;
document.createElement("payment-pix").expiresAt = new Date();
`;

/** The version of this project. */
const INSTALLED = "7.0.2";

const MATRIX = ["5.4.5", "5.5.4", "5.6.3", "5.7.3", "5.8.3", "5.9.3", "6.0.3"];

test.each(
  withMatrix([INSTALLED], MATRIX).flatMap((version) =>
    withMatrix([NODENEXT], [BUNDLER]).map((resolution) => ({
      version,
      resolution,
      moduleResolution: resolution.moduleResolution,
    })),
  ),
)(
  "the types of every entry compile with TypeScript $version and moduleResolution $moduleResolution",
  async ({ version, resolution }) => {
    const isInstalled = version === INSTALLED;
    const folder = await project.installTools(...(isInstalled ? [] : [`typescript@${version}`]));
    const tsc = join(isInstalled ? root : folder, "node_modules/.bin/tsc");
    expect((await tool(tsc, ["--version"])).stdout).toContain(version);
    cpSync(join(import.meta.dirname, "smoke"), folder, { recursive: true });
    writeFileSync(join(folder, "wrong.ts"), WRONG);
    writeFileSync(join(folder, "elements.ts"), ELEMENTS);
    writeFileSync(join(folder, "package.json"), '{ "type": "module" }');

    for (const { place, files, ...platform } of PROGRAMS) {
      const skipLibCheck = place === "with msw" && Number.parseFloat(version) < OLDEST_FOR_MSW;
      const compilerOptions = { ...STRICT, ...resolution, ...platform, skipLibCheck };
      writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files }));

      const { code, stdout, stderr } = await tool(tsc, ["-p", folder], folder);

      expect(code, `${place}:\n${stdout}${stderr}`).toBe(0);
    }
  },
);

const STRICT = { target: "es2022", strict: true, allowImportingTsExtensions: true, noEmit: true };
