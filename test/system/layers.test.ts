import { cpSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { type Ran, root, script } from "../support/tool.ts";

test("every file of src imports only what its layer may", async () => {
  const { code, stdout, stderr } = await script("layers");

  expect(code, stderr).toBe(0);
  expect(stdout).toMatch(/^0 problems in \d{3,} files and \d{3,} imports$/m);
});

/** What is put into a copy of src: one row a way of importing, then one a rule. */
const BREACHES = [
  ["layer-spec", "spec/static.ts", 'export { Integer } from "../schemas/integer.ts";'],
  [
    "layer-spec",
    "spec/types.ts",
    'import type { Company } from "../schemas/company.ts"; export type A = Company;',
  ],
  ["layer-spec", "spec/inline.ts", 'export type A = import("../schemas/company.ts").Company;'],
  ["layer-schemas", "schemas/dynamic.ts", 'export const late = () => import("../core/money.ts");'],
  ["layer-core", "core/side-effect.ts", 'import "../client/payments-client.ts";'],
  ["layer-core", "core/entry.ts", 'import "../index.ts";'],
  ["layer-tokenizer", "tokenizer/client.ts", 'import "../client/payments-client.ts";'],
  ["layer-client", "client/sandbox.ts", 'import "../sandbox/clock.ts";'],
  ["layer-client", "client/whole-store.ts", 'import "../idempotency/memory-store.ts";'],
  ["layer-postbacks", "postbacks/tokenizer.ts", 'import "../tokenizer/card-token.ts";'],
  ["layer-idempotency", "idempotency/memory-store.ts", 'import "../client/payments-client.ts";'],
  ["layer-transport", "transport/client.ts", 'import "../client/payments-client.ts";'],
  ["layer-sandbox", "sandbox/core.ts", 'import "../core/money.ts";'],
  ["layer-unknown", "elsewhere/core.ts", 'import "../core/money.ts";'],
  ["sandbox-judges-by-rules-of-its-own", "sandbox/rules.ts", 'import "../schemas/integer.ts";'],
  ["entry-browser", "browser.ts", 'import "./client/payments-client.ts";'],
  ["ky-only-for-the-attempts", "core/ky.ts", 'export type { Options } from "ky";'],
  ["zod-not-in-spec-nor-sandbox", "sandbox/zod.ts", 'import "zod/mini";'],
  ["zod-only-as-mini", "schemas/zod.ts", 'import "zod";'],
  ["jose-only-for-tokens", "client/jose.ts", 'import "jose/jwt/decode";'],
  ["jose-only-decodes-in-the-tokenizer", "tokenizer/jose.ts", 'import "jose";'],
  ["lean-qr-only-in-the-sandbox", "core/qr.ts", 'import "lean-qr";'],
  ["msw-only-in-its-adapter", "sandbox/msw.ts", 'import "msw/http";'],
  ["node-only-in-node-parts", "core/node.ts", 'export const late = () => import("node:fs");'],
  ["node-types-only-in-node-parts", "core/node-types.ts", '/// <reference types="node" />'],
  ["no-other-package", "core/dev.ts", 'import "express";'],
  ["no-undeclared-package", "core/undeclared.ts", 'import "nowhere";'],
  ["no-unresolvable", "core/lost.ts", 'import "./nowhere.ts";'],
  ["no-circular", "core/circle.ts", 'import "./other-half.ts";'],
] as const;

/** Imports that look like a breach and are none. */
const ALLOWED = [
  ["sandbox/types.ts", 'import type { Company } from "../schemas/company.ts"; export type A = Company;'],
  ["client/card.ts", 'import "../tokenizer/card-token.ts";'],
  ["client/contract.ts", 'import "../idempotency/contract.ts";'],
  ["idempotency/contract.ts", 'import "../core/errors/payments-error.ts";'],
  ["postbacks/jwt.ts", 'import "jose";'],
  ["transport/http.ts", 'import "node:http";'],
  ["core/other-half.ts", 'import type {} from "./circle.ts";'], // of a circle that is told once
] as const;

describe("in a copy with breaches", () => {
  // Inside the project, so that packages are found and package.json is the nearest.
  const copy = join(root, "reports/layers");
  let ran: Ran;

  beforeAll(async () => {
    rmSync(copy, { recursive: true, force: true });
    cpSync(join(root, "src"), join(copy, "src"), { recursive: true });
    for (const file of ["package.json", "tsconfig.json"]) cpSync(join(root, file), join(copy, file));
    for (const [file, code] of [...BREACHES.map(([, ...seed]) => seed), ...ALLOWED]) seed(file, code);
    ran = await script("layers", copy);
  });

  function seed(file: string, code: string): void {
    const path = join(copy, "src", file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, `${code}\n`);
  }

  test("the check fails", () => {
    expect(ran.code).toBe(1);
  });

  test.each(BREACHES)("%s is broken by %s: %s", (rule, file) => {
    expect(ran.stderr.split("\n")).toContainEqual(expect.stringMatching(`^${rule}: src/${file} -> `));
  });

  test.each(ALLOWED)("nothing is broken by %s: %s", (file) => {
    expect(ran.stderr).not.toContain(`: src/${file} -> `);
  });
});

test("a folder whose files cannot be read does not pass", async () => {
  const empty = join(root, "reports/layers-empty");
  mkdirSync(join(empty, "src"), { recursive: true });

  expect(await script("layers", empty)).toMatchObject({ code: 1 });
});
