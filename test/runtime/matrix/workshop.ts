import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Consumer, installPackage } from "../../system/support/consumer.ts";
import { finish } from "./finish.ts";
import { npmFailure } from "./npm-failure.ts";

/** Where the rows are tried: a project that has the packed package, and one more folder for each tool. */
export class Workshop {
  readonly #folder = mkdtempSync(join(tmpdir(), "payments-sdk-matrix-"));
  readonly #others: readonly string[] | undefined;
  #consumer: Promise<Consumer> | undefined;

  /** @param others - What is installed beside the package, see {@link installPackage}. */
  constructor(others?: readonly string[]) {
    this.#others = others;
  }

  /**
   * The project that has the package; made when the first row needs it.
   *
   * @throws {Missing} where npm cannot bring what the package needs.
   */
  consumer(): Promise<Consumer> {
    const others = this.#others === undefined ? {} : { others: this.#others };
    this.#consumer ??= installPackage({ folder: this.#folder, ...others }).catch((error: Error) => {
      throw npmFailure("the package", error.message);
    });
    return this.#consumer;
  }

  /**
   * Brings packages into a folder of their own, where the package is found, too.
   *
   * @throws {Missing} where npm cannot bring them.
   */
  async bring(name: string, packages: readonly string[]): Promise<Tool> {
    const folder = join(this.#folder, "tools", name);
    mkdirSync(folder, { recursive: true });
    const allowed = packages.map((one) => [one.slice(0, one.lastIndexOf("@")), true]);
    // npm 12 runs no install scripts but those that are allowed, and `node` and `bun` come by one.
    const manifest = { private: true, type: "module", allowScripts: Object.fromEntries(allowed) };
    writeFileSync(join(folder, "package.json"), JSON.stringify(manifest));
    const { code, output } = await finish("npm", ["install", ...QUIETLY, ...packages], folder);
    if (code !== 0) throw npmFailure(packages.join(", "), output);
    return {
      folder,
      bin: (command) => join(folder, "node_modules/.bin", command),
      remove: () => rmSync(folder, { recursive: true, force: true }),
    };
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

export interface Tool {
  readonly folder: string;
  readonly bin: (command: string) => string;
  remove(): void;
}

const QUIETLY = ["--no-audit", "--no-fund", "--no-update-notifier", "--prefer-offline", "--loglevel=error"];
