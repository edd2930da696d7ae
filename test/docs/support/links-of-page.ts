import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";

const root = join(import.meta.dirname, "../../..");

/** The content of a file, by its path from the root of the repository. */
export const read = (page: string) => readFileSync(join(root, page), "utf8");

/** A page without its code, in which brackets are not links. */
function proseOf(page: string): string {
  return read(page)
    .replaceAll(/^( *)(```+).*?^\1\2$/gms, "")
    .replaceAll(/`[^`\n]+`/g, (code) => code.replaceAll(/[[\]()<>]/g, ""));
}

/** A link to a file or a heading in the repository. */
export interface Link {
  readonly target: string;
  readonly path: string;
  readonly anchor: string | undefined;
}

/** Every link of a page to a file or a heading in the repository, with its path from the root. */
export function linksOf(page: string): Link[] {
  const found = proseOf(page).matchAll(/\]\((?<inline>[^)\s]+)[^)]*\)|^\[[^\]]+\]: (?<below>\S+)/gm);
  return Array.from(found, ({ groups }) => groups?.["inline"] ?? groups?.["below"] ?? "")
    .filter((target) => !/^(?:[a-z]+:|\/\/)/i.test(target))
    .map((target) => {
      const [file = "", anchor] = target.split("#");
      return { target, path: file === "" ? page : join(dirname(page), file), anchor };
    });
}
