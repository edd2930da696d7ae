import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";

const root = join(import.meta.dirname, "../../..");

/** A file of the repository, by its path from the root. */
export const read = (page: string) => readFileSync(join(root, page), "utf8");

/** A page without its code, in which brackets are no links. */
function proseOf(page: string): string {
  return read(page)
    .replaceAll(/^( *)(```+).*?^\1\2$/gms, "")
    .replaceAll(/`[^`\n]+`/g, (code) => code.replaceAll(/[[\]()<>]/g, ""));
}

/** A link of a page that stays in the repository. */
export interface Link {
  readonly target: string;
  readonly path: string;
  readonly anchor: string | undefined;
}

/** Every link of a page that stays in the repository; the path is that from the root. */
export function linksOf(page: string): Link[] {
  const found = proseOf(page).matchAll(/\]\((?<inline>[^)\s]+)[^)]*\)|^\[[^\]]+\]: (?<below>\S+)/gm);
  return Array.from(found, ({ groups }) => groups?.["inline"] ?? groups?.["below"] ?? "")
    .filter((target) => !/^(?:[a-z]+:|\/\/)/i.test(target))
    .map((target) => {
      const [file = "", anchor] = target.split("#");
      return { target, path: file === "" ? page : join(dirname(page), file), anchor };
    });
}
